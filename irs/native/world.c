/*
 * What the world outside may answer is bounded in a proof. Where a real answer is beyond that, the
 * program would do what was not verified: it stops before it can look at the answer.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/* As in imc/program/library/world.py. */
enum { FEW = 4, ALL = 64, ENVIRONMENT = 8, PROCESSORS = 4 };

static const char *name_of(int descriptor, char *name)
{
    char link[32];
    int before = errno;
    ssize_t size;

    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    size = readlink(link, name, PATH_MAX - 1);
    errno = before;
    if (size < 0)
        return "a file";
    name[size] = 0;
    return name;
}

/* Few bytes, or all that were asked for if that is not much. */
static void check_read(const char *call, int descriptor, size_t brought, size_t asked, size_t unit)
{
    char name[PATH_MAX];
    bool all_is_little = asked * unit <= ALL;
    size_t few = FEW / unit;

    if (brought <= few || (all_is_little && brought == asked) ||
        (!all_is_little && few == 0 && brought == 1 && unit <= ALL))
        return;
    irs_refuse("%s brings %zu bytes of %s at a time: the schedule was verified for at most %d, or "
               "for all of at most %d that are asked for",
               call, brought * unit, name_of(descriptor, name), FEW, ALL);
}

static ssize_t checked(const char *call, int descriptor, ssize_t brought, size_t asked)
{
    if (brought > 0)
        check_read(call, descriptor, (size_t)brought, asked, 1);
    return brought;
}

ssize_t irs_read(int descriptor, void *to, size_t size)
{
    return checked("read", descriptor, read(descriptor, to, size), size);
}

ssize_t irs_pread(int descriptor, void *to, size_t size, off_t at)
{
    return checked("pread", descriptor, pread(descriptor, to, size, at), size);
}

ssize_t irs_recv(int descriptor, void *to, size_t size, int flags)
{
    return checked("recv", descriptor, recv(descriptor, to, size, flags), size);
}

/* What is left of an item at the end of a file is in the buffer, too, which no proof thinks of. */
size_t irs_fread(void *to, size_t unit, size_t count, FILE *stream)
{
    size_t brought = unit && count ? fread(to, 1, unit * count, stream) : 0;
    char name[PATH_MAX];

    if (brought == 0)
        return 0;
    if (brought % unit)
        irs_refuse("fread brings a part of an item of %s: the schedule was verified for whole ones",
                   name_of(fileno(stream), name));
    check_read("fread", fileno(stream), brought / unit, count, unit);
    return brought / unit;
}

static void check_line(const char *call, FILE *stream, size_t size)
{
    char name[PATH_MAX];

    if (size > FEW)
        irs_refuse("%s brings more than %d bytes of %s at a time, for which the schedule was verified",
                   call, FEW, name_of(fileno(stream), name));
}

/* Standard input is what the program was verified with; other lines are short, zeros included. */
char *irs_fgets(char *to, int size, FILE *stream)
{
    int at = 0, byte = 0;

    if (stream == stdin || size < 2)
        return fgets(to, size, stream);
    while (at < size - 1 && byte != '\n' && (byte = getc(stream)) != EOF) {
        to[at++] = (char)byte;
        check_line("fgets", stream, (size_t)at);
    }
    if (at == 0)
        return NULL;
    to[at] = 0;
    return to;
}

ssize_t irs_getline(char **line, size_t *room, FILE *stream)
{
    ssize_t size = getline(line, room, stream);

    if (size > 0 && stream != stdin)
        check_line("getline", stream, (size_t)size);
    return size;
}

/* Behind the last page of a file there is nothing, and no proof thinks of that. */
void *irs_mmap(void *at, size_t size, int access, int flags, int descriptor, off_t offset)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char name[PATH_MAX];
    struct stat found;

    if (!(flags & MAP_ANONYMOUS) && fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
        (uint64_t)offset + size > ((uint64_t)found.st_size + page - 1) / page * page)
        irs_refuse("mmap of %zu bytes of %s, which has %lld: the schedule was verified for files that "
                   "are not smaller",
                   size, name_of(descriptor, name), (long long)found.st_size);
    return mmap(at, size, access, flags, descriptor, offset);
}

static void check_told(const char *what, const char *text)
{
    if (strlen(text) > ENVIRONMENT)
        irs_refuse("%s has %zu characters: the schedule was verified for at most %d", what,
                   strlen(text), ENVIRONMENT);
}

int irs_uname(struct utsname *names)
{
    int result = uname(names);

    if (result == 0) {
        check_told("the name of the system", names->sysname);
        check_told("the name of the host", names->nodename);
        check_told("the release of the system", names->release);
        check_told("the version of the system", names->version);
        check_told("the machine's name", names->machine);
        check_told("the name of the domain", names->domainname);
    }
    return result;
}

int irs_gethostname(char *to, size_t room)
{
    int result = gethostname(to, room);

    if (result == 0 && memchr(to, 0, room))
        check_told("the name of the host", to);
    return result;
}

/* Where the environment lay when the program began: what it has set itself lies elsewhere. */
static uintptr_t environment_start = UINTPTR_MAX, environment_end;

__attribute__((constructor)) static void find_environment(void)
{
    for (char **entry = environ; entry && *entry; entry++) {
        uintptr_t start = (uintptr_t)*entry, end = start + strlen(*entry);

        environment_start = start < environment_start ? start : environment_start;
        environment_end = end > environment_end ? end : environment_end;
    }
}

static bool is_from_outside(const char *value)
{
    return (uintptr_t)value >= environment_start && (uintptr_t)value <= environment_end;
}

char *irs_getenv(const char *variable)
{
    char *value = getenv(variable);

    if (value != NULL && is_from_outside(value) && strlen(value) > ENVIRONMENT)
        irs_refuse("the environment variable %s has %zu characters: the schedule was verified for at "
                   "most %d",
                   variable, strlen(value), ENVIRONMENT);
    return value;
}

static long check_processors(long count)
{
    if (count > PROCESSORS)
        irs_refuse("there are %ld processors: the schedule was verified for at most %d", count,
                   PROCESSORS);
    return count;
}

long irs_sysconf(int name)
{
    long value = sysconf(name);

    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? check_processors(value)
                                                                      : value;
}

int irs_get_nprocs(void)
{
    return (int)check_processors(get_nprocs());
}

int irs_get_nprocs_conf(void)
{
    return (int)check_processors(get_nprocs_conf());
}
