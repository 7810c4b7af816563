/*
 * A parallel file scanner: counts how often a pattern occurs in files.
 *
 *     scanner [PATTERN [FILE...]]
 *
 * The main thread puts file names into a bounded queue, the workers take them
 * out, scan, and add to a common total. Without files it scans a few built-in
 * texts, and checks the total against a count made by one thread.
 *
 * What to see: safe, no deadlock, no race, for any order of the workers.
 *
 * Parameters: -DWORKERS=2 -DSLOTS=2
 *             -DTEXTS=3  number of built-in texts (at most 4)
 *
 * In the spirit of pfscan, the parallel grep that Metzler, Verification and
 * Enforcement of Safe Schedules, measures in chapter 5.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef TEXTS
#define TEXTS 3
#endif

#define CHUNK 65536
#define MAX_PATTERN 256

static const char *const texts[] = {"banana", "an apple", "kiwi", "mango"};
_Static_assert(TEXTS <= sizeof texts / sizeof *texts, "too many texts");

/* Set before the workers start. */
static const char *pattern = "an";
static size_t pattern_length = 2;
static int scan_files;

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static const char *queue[SLOTS];
static int count, head, closed;

static pthread_mutex_t total_mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void put(const char *job)
{
    pthread_mutex_lock(&queue_mutex);
    while (count == SLOTS)
        pthread_cond_wait(&not_full, &queue_mutex);
    queue[(head + count) % SLOTS] = job;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&queue_mutex);
}

static void close_queue(void)
{
    pthread_mutex_lock(&queue_mutex);
    closed = 1;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&queue_mutex);
}

/* The next job, or NULL when the queue is closed and empty. */
static const char *take(void)
{
    const char *job = NULL;

    pthread_mutex_lock(&queue_mutex);
    while (count == 0 && !closed)
        pthread_cond_wait(&not_empty, &queue_mutex);
    if (count > 0) {
        job = queue[head];
        head = (head + 1) % SLOTS;
        count--;
        pthread_cond_signal(&not_full);
    }
    pthread_mutex_unlock(&queue_mutex);
    return job;
}

static long occurrences(const char *text, size_t length)
{
    long found = 0;

    for (size_t i = 0; i + pattern_length <= length; i++)
        found += memcmp(text + i, pattern, pattern_length) == 0;
    return found;
}

/* Reads in chunks; each chunk starts with the end of the one before, one byte
   too short for a whole match, so that no match is missed or counted twice. */
static long scan_file(const char *name)
{
    char buffer[MAX_PATTERN + CHUNK];
    size_t kept = 0, got;
    long found = 0;
    FILE *file = fopen(name, "rb");

    if (!file) {
        perror(name);
        return -1;
    }
    while ((got = fread(buffer + kept, 1, CHUNK, file)) > 0) {
        size_t length = kept + got;

        found += occurrences(buffer, length);
        kept = length < pattern_length ? length : pattern_length - 1;
        memmove(buffer, buffer + length - kept, kept);
    }
    if (ferror(file)) {
        perror(name);
        found = -1;
    }
    fclose(file);
    return found;
}

static void *worker(void *arg)
{
    const char *job;
    long failed = 0;

    (void)arg;
    while ((job = take()) != NULL) {
        long found = scan_files ? scan_file(job)
                                : occurrences(job, strlen(job));

        if (found < 0) {
            failed = 1;
            found = 0;
        }
        pthread_mutex_lock(&total_mutex);
        total += found;
        pthread_mutex_unlock(&total_mutex);
    }
    return (void *)failed;
}

int main(int argc, char **argv)
{
    pthread_t thread[WORKERS];
    int failed = 0;

    if (argc > 1) {
        pattern = argv[1];
        pattern_length = strlen(pattern);
        scan_files = argc > 2;
    }
    if (pattern_length == 0 || pattern_length > MAX_PATTERN) {
        fprintf(stderr, "the pattern must have 1 to %d bytes\n", MAX_PATTERN);
        return 2;
    }

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    if (scan_files) {
        for (int i = 2; i < argc; i++)
            put(argv[i]);
    } else {
        for (int i = 0; i < TEXTS; i++)
            put(texts[i]);
    }
    close_queue();
    for (int i = 0; i < WORKERS; i++) {
        void *result;

        pthread_join(thread[i], &result);
        if (result)
            failed = 1;
    }

    if (!scan_files) {
        long expected = 0;

        for (int i = 0; i < TEXTS; i++)
            expected += occurrences(texts[i], strlen(texts[i]));
        assert(total == expected);
    }
    printf("%ld\n", total);
    return failed;
}
