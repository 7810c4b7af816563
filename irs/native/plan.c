/*
 * Loading a schedule's tables: those of the file that IRS_SCHEDULE names, or those that the program
 * was built with. Nothing in them is believed: every index is checked before the program starts.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "irsplan4"
#define LARGEST (1u << 26)

struct irs_plan irs_plan;

/* As tables.py writes it. */
enum { OVERLAP = 1, ACTIVE_SHIFT = 8 };

struct header { /* as long as the alignment of what follows wants it */
    char magic[8];
    unsigned char digest[32];
    uint32_t threads, sections, sites, events, waits, cases, tails, strings;
    uint32_t start, flags, program, mode, entries, told, arguments, size;
};

struct cursor {
    unsigned char *data;
    size_t at, size;
};

static _Noreturn void damaged(const char *what)
{
    irs_refuse("the schedule's tables are damaged (%s): build them again", what);
}

static void check(bool right, const char *what)
{
    if (!right)
        damaged(what);
}

static void *take(struct cursor *c, size_t count, size_t size)
{
    void *found = c->data + c->at;

    check(count <= LARGEST && c->at + count * size <= c->size, "length");
    c->at += count * size;
    return found;
}

/* How much of a path is its folder, with the slash. No function of <string.h> here: the program
   may have its own ones, with gates that are not ready yet. */
static size_t folder(const char *path)
{
    size_t found = 0;

    for (size_t n = 0; path[n] != '\0'; n++)
        if (path[n] == '/')
            found = n + 1;
    return found;
}

FILE *irs_open_made(const char *path)
{
    char beside[PATH_MAX + 1];
    ssize_t length = readlink("/proc/self/exe", beside, sizeof beside - 1);
    FILE *file = NULL;

    if (length > 0 && folder(path) > 0) {
        beside[length] = '\0';
        size_t to = folder(beside), from = folder(path);

        while (to < sizeof beside - 1 && path[from] != '\0')
            beside[to++] = path[from++];
        beside[to] = '\0';
        if (path[from] == '\0')
            file = fopen(beside, "rb");
    }
    return file != NULL ? file : fopen(path, "rb");
}

static unsigned char *read_file(const char *path, FILE *file, size_t *size)
{
    unsigned char *data = NULL;
    size_t room = 0;

    if (file == NULL)
        irs_refuse("cannot read the schedule's tables %s: %s (IRS_SCHEDULE names others)", path,
                   strerror(errno));
    for (*size = 0; !feof(file) && !ferror(file);) {
        if (*size == room) {
            room = room ? 2 * room : 65536;
            data = realloc(data, room);
            if (data == NULL || room > LARGEST)
                irs_refuse("the schedule's tables %s are too large", path);
        }
        *size += fread(data + *size, 1, room - *size, file);
    }
    fclose(file);
    return data;
}

static unsigned char *find(size_t *size)
{
    const char *named = getenv("IRS_SCHEDULE");
    unsigned char *copy;

    if (named != NULL && *named)
        return read_file(named, fopen(named, "rb"), size);
    if (irs_embedded_size == 0)
        return read_file(irs_default_plan, irs_open_made(irs_default_plan), size);
    *size = irs_embedded_size;
    copy = malloc(*size); /* flags of events are changed when a trace is wanted */
    if (copy == NULL)
        irs_refuse("no memory for the schedule's tables");
    return memcpy(copy, irs_embedded, *size);
}

static void check_events(const struct irs_plan *p, uint32_t waits)
{
    for (size_t i = 0; i < p->event_count; i++) {
        const struct irs_event *e = &p->events[i];
        check(e->site == IRS_NONE || e->site < p->sites, "site");
        check(!(e->flags & ~(IRS_PUBLISH | IRS_SEAM)), "flags");
        check(e->waits != 1 || e->thread < p->threads, "wait");
        check(e->waits < 2 || (e->thread <= waits && e->waits <= waits - e->thread), "waits");
    }
    for (uint32_t i = 0; i < waits; i++)
        check(p->waits[i].thread < p->threads, "wait");
    check(p->event_count > 0 && p->events[p->event_count - 1].site == IRS_NONE, "events");
    for (size_t i = 0; i < (size_t)p->sections * p->threads; i++) {
        check(p->begin[i] < p->event_count, "beginning");
        check(p->counts[i] >= 0 && p->begin[i] + (size_t)p->counts[i] < p->event_count, "count");
        for (int32_t k = 0; k <= p->counts[i]; k++)
            check((p->events[p->begin[i] + k].site == IRS_NONE) == (k == p->counts[i]), "section");
    }
}

static void check_sections(const struct irs_plan *p, uint32_t cases, uint32_t tails)
{
    for (uint32_t i = 0; i < p->sections; i++) {
        const struct irs_section *s = &p->section[i];
        check(s->kind <= IRS_CHOICE, "kind of section");
        check(s->kind != IRS_FREE || !p->mode, "mode");
        check(s->kind != IRS_FOLLOW || s->argument < p->sections, "next section");
        check(s->kind != IRS_BRANCH || s->argument < p->threads, "deciding thread");
        check(s->first_case <= cases && s->cases <= cases - s->first_case, "cases");
        check(s->first_tail <= tails && s->tails <= tails - s->first_tail, "tails");
    }
    for (uint32_t i = 0; i < cases; i++) {
        check(p->cases[i].section < p->sections && p->cases[i].guard <= IRS_CELL, "case");
        check(p->cases[i].site == IRS_NONE || p->cases[i].site < p->sites, "site of a case");
        check(p->cases[i].guard != IRS_CELL || p->cases[i].cell < irs_cell_count, "cell");
    }
    for (uint32_t i = 0; i < tails; i++)
        check(p->tails[i] < p->threads, "tail");
    for (uint32_t i = 0; i < p->entry_count; i++)
        check(p->entries[i] == IRS_NONE || p->entries[i] < p->sections, "entry");
}

static void check_strings(const struct irs_plan *p)
{
    check(p->strings_size > 0 && p->strings[p->strings_size - 1] == '\0', "names");
    check(p->program < p->strings_size && p->told < p->strings_size, "program");
    for (uint32_t i = 0; i < p->threads; i++)
        check(p->thread_names[i] < p->strings_size, "name of a thread");
    for (uint32_t i = 0; i < p->sites; i++)
        check(p->site_texts[i] < p->strings_size, "name of a site");
}

void irs_read_plan(struct irs_plan *p, unsigned char *data, size_t size)
{
    struct cursor c = {data, 0, size};
    struct header *h = take(&c, 1, sizeof *h);

    check(memcmp(h->magic, MAGIC, 8) == 0, "not a table of irs");
    check(h->size == c.size, "length");
    if (memcmp(h->digest, irs_digest, sizeof irs_digest) != 0)
        irs_refuse("the schedule was made for another program, or for another form of it: "
                   "build it again");
    p->threads = h->threads, p->sections = h->sections, p->sites = h->sites;
    p->start = h->start, p->overlap = h->flags & OVERLAP;
    p->told = h->told, p->arguments = h->arguments;
    p->program = h->program, p->mode = h->mode, p->active = h->flags >> ACTIVE_SHIFT;
    check(!(p->mode & ~IRS_MODES) && (!p->mode || (p->mode & IRS_FIBERS)), "mode");
    check(p->threads > 0 && p->threads < 65536 && p->start < p->sections, "start");
    check((uint64_t)p->threads * p->sections <= LARGEST, "size");
    /* In the order of their alignment. */
    p->cases = take(&c, h->cases, sizeof *p->cases);
    p->section = take(&c, h->sections, sizeof *p->section);
    p->events = take(&c, p->event_count = h->events, sizeof *p->events);
    p->waits = take(&c, h->waits, sizeof *p->waits);
    p->begin = take(&c, (size_t)p->sections * p->threads, sizeof *p->begin);
    p->counts = take(&c, (size_t)p->sections * p->threads, sizeof *p->counts);
    p->marks = take(&c, (size_t)p->sections * p->threads, sizeof *p->marks);
    p->tails = take(&c, h->tails, sizeof *p->tails);
    p->thread_names = take(&c, p->threads, sizeof *p->thread_names);
    p->site_texts = take(&c, p->sites, sizeof *p->site_texts);
    p->site_numbers = take(&c, p->sites, sizeof *p->site_numbers);
    p->entries = take(&c, p->entry_count = h->entries, sizeof *p->entries);
    p->strings = take(&c, p->strings_size = h->strings, 1);
    check(c.at == c.size, "length");
    check_events(p, h->waits);
    check_sections(p, h->cases, h->tails);
    check_strings(p);
}

/* Whether the program is run as it was when the schedule was proved, as far as that matters. */
bool irs_expects(const struct irs_plan *p, int count, char *const *words)
{
    const char *next = p->strings + p->told, *end = p->strings + p->strings_size;

    if (p->arguments == IRS_NONE)
        return true;
    if ((int64_t)count - 1 != p->arguments)
        return false;
    for (int i = 1; i < count; i++) {
        next += strlen(next) + 1;
        if (next >= end || strcmp(next, words[i]) != 0)
            return false;
    }
    return true;
}

void irs_load_plan(void)
{
    unsigned char *data;
    size_t size;

    if (irs_default_plan[0] == '\0' && irs_embedded_size == 0)
        return; /* built without a schedule: all threads are free */
    data = find(&size);
    irs_read_plan(&irs_plan, data, size);
}
