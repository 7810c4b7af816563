/* A string is printed while another thread writes it. */
#include <pthread.h>
#include <stdio.h>

static char text[4] = "a";

static void *prints(void *arg)
{
    puts(text);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, prints, 0);
    text[0] = 'b';
    pthread_join(t, 0);
    return 0;
}
