/* Two threads take arguments from one va_list: both get the same. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct job { va_list list; };

static void *prints(void *arg)
{
    struct job *job = arg;
    char text[4];

    vsnprintf(text, sizeof text, "%d", job->list);
    assert(text[0] == '1' || text[0] == '2');
    return (void *)(long)(text[0] - '0');
}

static void share(int count, ...)
{
    struct job job;
    pthread_t t;
    void *other;
    int mine;

    va_start(job.list, count);
    pthread_create(&t, 0, prints, &job);
    mine = va_arg(job.list, int);
    pthread_join(t, &other);
    va_end(job.list);
    assert(mine + (long)other == 3);
}

int main(void)
{
    share(2, 1, 2);
    return 0;
}
