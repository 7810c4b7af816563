/*
 * Values for __VERIFIER_nondet_* and its like: the numbers of the file IRS_INPUT in their order and
 * then zeros, or chance that starts from IRS_SEED, or the system's own chance.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static enum { UNKNOWN, FROM_FILE, SEEDED, SYSTEM } source;
static FILE *file;
static uint64_t state;

static void find_source(void)
{
    const char *path = getenv("IRS_INPUT"), *seed = getenv("IRS_SEED");

    if (path != NULL && *path) {
        source = FROM_FILE;
        file = fopen(path, "r");
        if (file == NULL)
            irs_refuse("cannot read the input %s: %s", path, strerror(errno));
    } else if (seed != NULL && *seed) {
        source = SEEDED;
        state = strtoull(seed, NULL, 0);
    } else {
        source = SYSTEM;
    }
}

/* Splitmix64: any seed is as good as another. */
static uint64_t mixed(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t integer(void)
{
    long long read = 0;
    uint64_t value = 0;

    pthread_mutex_lock(&one_at_a_time);
    if (source == UNKNOWN)
        find_source();
    if (source == FROM_FILE)
        value = fscanf(file, "%lld", &read) == 1 ? (uint64_t)read : 0;
    else if (source == SEEDED)
        value = mixed();
    else if (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value)
        value = 0;
    pthread_mutex_unlock(&one_at_a_time);
    return value;
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
