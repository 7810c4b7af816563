/*
 * Why the run was ended before its time, and who was stopped by an assumption, for programs that
 * read it: IRS_REPORT=FILE, one JSON object, with the words of Python threads.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

static struct irs_deviation deviation;
static bool deviated;
static int stalled_s = -1;

void irs_note_deviation(struct irs_deviation found)
{
    deviation = found;
    deviated = true;
}

void irs_note_stall(int seconds)
{
    stalled_s = seconds;
}

static void write_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            putc(*text, file);
    putc('"', file);
}

/* Sites by their cases, each once; a case for the end of the thread has none. */
static void write_cases(FILE *file, const struct irs_plan *plan, const struct irs_section *section)
{
    const struct irs_case *cases = &plan->cases[section->first_case];
    const char *separator = "";

    for (uint32_t i = 0; section->kind == IRS_BRANCH && i < section->cases; i++) {
        bool seen = cases[i].site == IRS_NONE;
        for (uint32_t k = 0; k < i; k++)
            seen |= cases[k].site == cases[i].site;
        if (seen)
            continue;
        fputs(separator, file);
        write_text(file, irs_site_text(cases[i].site));
        separator = ", ";
    }
}

static void write_deviation(FILE *file)
{
    fprintf(file, "{\"thread\": ");
    write_text(file, deviation.thread);
    fprintf(file, ", \"event\": ");
    write_text(file, deviation.event);
    if (deviation.section == IRS_NONE)
        fprintf(file, ", \"section\": null, \"expected\": [");
    else
        fprintf(file, ", \"section\": %u, \"expected\": [", deviation.section);
    if (deviation.expected != NULL)
        write_text(file, deviation.expected);
    else if (deviation.section != IRS_NONE)
        write_cases(file, deviation.plan, &deviation.plan->section[deviation.section]);
    fprintf(file, "]}");
}

struct lines {
    FILE *file;
    const char *separator;
};

static void write_line(void *to, const char *text)
{
    struct lines *lines = to;

    fputs(lines->separator, lines->file);
    write_text(lines->file, text);
    lines->separator = ", ";
}

void irs_write_outcome(FILE *file)
{
    struct lines lines = {file, ""};

    fprintf(file, "{\"deviation\": ");
    if (deviated)
        write_deviation(file);
    else
        fprintf(file, "null");
    fprintf(file, ", \"stalled\": ");
    if (stalled_s >= 0) {
        fprintf(file, "{\"seconds\": %d, \"lines\": [", stalled_s);
        irs_describe_waiting(write_line, &lines);
        fprintf(file, "]}");
    } else {
        fprintf(file, "null");
    }
    fprintf(file, ", \"stopped\": [");
    lines.separator = "";
    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another)
        if (atomic_load(&t->rest) == IRS_HALTED)
            write_line(&lines, t->name);
    fprintf(file, "]}\n");
}
