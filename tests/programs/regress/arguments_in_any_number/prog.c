/* Functions that take any number of arguments run in two threads: ints, texts, floats, structs. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair { long first, second; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static int sum(int count, ...)
{
    va_list list, again;
    int found = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int k = 0; k < count; k++) found += va_arg(list, int);
    va_end(list);
    pthread_mutex_lock(&lock); /* the arguments are still there when others have moved */
    for (int k = 0; k < count; k++) total += va_arg(again, int);
    pthread_mutex_unlock(&lock);
    va_end(again);
    return found;
}

static void tell(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, 20, format, list);
    va_end(list);
}

static long whole(int unused, ...)
{
    va_list list;
    va_start(list, unused);
    struct pair p = va_arg(list, struct pair);
    va_end(list);
    return p.first + p.second;
}

static void *run(void *number)
{
    char text[20];
    int n = (int)(long)number;
    assert(sum(2, n, 1) == n + 1);
    assert(sum(0) == 0);
    tell(text, "%s %d %.1f", "x", n, 1.5);
    assert(!strcmp(text, n == 3 ? "x 3 1.5" : "x 4 1.5"));
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, (void *)3);
    pthread_create(&two, 0, run, (void *)4);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 9);
    assert(sum(3, 1, 2, 3) == 6);
    assert(whole(0, (struct pair){5, 6}) == 11);
}
