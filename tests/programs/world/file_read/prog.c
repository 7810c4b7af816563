/* A file that may be missing is read, piece by piece, by a thread of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static long total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *name)
{
    char buffer[4096];
    FILE *file = fopen(name, "r");
    size_t n;

#ifndef TRUSTING
    if (!file)
        return NULL;
#endif
    n = fread(buffer, 1, sizeof buffer, file);
    assert(n <= sizeof buffer);
#ifdef WHOLE
    assert(buffer[3] == buffer[3] || n < 4);
    if (buffer[3] == 'x')
        n++;
#endif
    if (fclose(file) != 0)
        return NULL;
    pthread_mutex_lock(&mutex);
    total += n;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, count, "a");
    count("b");
    pthread_join(thread, NULL);
    assert(total >= 0 && total <= 8);
    return 0;
}
