/* An argument list is a local: another thread must not look at it when its function has ended. */
#include <pthread.h>
#include <stdarg.h>

static int *kept;

static void keep(int count, ...)
{
    va_list list;
    va_start(list, count);
    int last = 0;
    kept = va_arg(list, int *);
    last = va_arg(list, int);
    *kept = last;
    va_end(list);
}

static void *look(void *size)
{
    int numbers[(long)size];
    numbers[0] = 1;
    keep(2, &numbers[0], 7);
    return (void *)(long)numbers[0];
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, look, (void *)1);
    pthread_join(other, 0);
    return *kept; /* the array has ended with its thread */
}
