/* So does vsnprintf, behind a function of the program. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char text[4];

static void format(const char *template, ...)
{
    va_list list;

    va_start(list, template);
    vsnprintf(text, sizeof text, template, list);
    va_end(list);
}

static void *prints(void *arg)
{
    format("%c%c", 'x', 'x');
    return arg;
}

int main(void)
{
    pthread_t t;
    char second, first, second_again;

    pthread_create(&t, 0, prints, 0);
    second = text[1];
    first = text[0];
    second_again = text[1];
    pthread_join(t, 0);
    assert(first == 0 ? second == 0 : second_again == 'x');
    return 0;
}
