/*
 * Values for __VERIFIER_nondet_* and its like: the numbers of the file IRS_INPUT in their order, or
 * chance that starts from IRS_SEED, the same for each thread in every run, or the system's own.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { BAD_INPUT = 2 };

static pthread_once_t found = PTHREAD_ONCE_INIT;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static enum { FROM_FILE, SEEDED, SYSTEM } source;
static const char *path;
static FILE *file;
static uint64_t seed;

static void find_source(void)
{
    const char *start = getenv("IRS_SEED");
    const char *named = getenv("IRS_INPUT");

    path = named != NULL ? named : irs_default_input;
    source = SYSTEM;
    if (*path) {
        source = FROM_FILE;
        file = named != NULL ? fopen(path, "r") : irs_open_made(path);
        if (file == NULL) {
            irs_say("cannot read the input %s: %s", path, strerror(errno));
            irs_finish(BAD_INPUT);
        }
    } else if (start != NULL && *start) {
        source = SEEDED;
        seed = strtoull(start, NULL, 0);
    }
}

/* The next word of the file; from # to the end of a line it is a remark. */
static bool word(char *text, size_t room)
{
    size_t used = 0;
    int c = getc(file);

    while (c == '#' || isspace(c)) {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(file);
        if (c != EOF)
            c = getc(file);
    }
    for (; c != EOF && c != '#' && !isspace(c) && used + 1 < room; c = getc(file))
        text[used++] = (char)c;
    if (c == '#')
        ungetc(c, file);
    text[used] = '\0';
    return used > 0;
}

static uint64_t number(void)
{
    char text[64], *end = text;
    uint64_t value = 0;

    pthread_mutex_lock(&one_at_a_time);
    if (!word(text, sizeof text)) {
        irs_say("the input %s has no number left", path);
        irs_finish(BAD_INPUT);
    }
    value = strchr(text, '.') ? (uint64_t)(int64_t)strtod(text, &end)
            : *text == '-'    ? (uint64_t)strtoll(text, &end, 0)
                              : strtoull(text, &end, 0);
    if (*end != '\0') {
        irs_say("%s: '%s' is not a number", path, text);
        irs_finish(BAD_INPUT);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return value;
}

/* Splitmix64: any seed is as good as another. */
static uint64_t mixed(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t chance(struct irs_thread *self)
{
    if (self->chance == 0) {
        self->chance = seed;
        for (const char *c = self->name; *c; c++)
            self->chance = mixed(&self->chance) ^ (unsigned char)*c;
    }
    return mixed(&self->chance);
}

static uint64_t integer(void)
{
    uint64_t value = 0;

    pthread_once(&found, find_source);
    if (source == FROM_FILE)
        return number();
    if (source == SEEDED)
        return chance(irs_self);
    return getrandom(&value, sizeof value, 0) == (ssize_t)sizeof value ? value : 0;
}

bool irs_input_i1(void)
{
    return integer() & 1;
}

uint8_t irs_input_i8(void)
{
    return (uint8_t)integer();
}

uint16_t irs_input_i16(void)
{
    return (uint16_t)integer();
}

uint32_t irs_input_i32(void)
{
    return (uint32_t)integer();
}

uint64_t irs_input_i64(void)
{
    return integer();
}

/* A truth value as the type of numbers that a function of the program returns. */
uint32_t irs_input_truth(void)
{
    return integer() & 1;
}

float irs_input_float(void)
{
    return (float)(int32_t)integer();
}

double irs_input_double(void)
{
    return (double)(int64_t)integer();
}

void *irs_input_ptr(void)
{
    return NULL;
}
