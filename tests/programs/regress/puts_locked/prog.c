/* A string is printed under the lock that its writer takes: right. */
#include <pthread.h>
#include <stdio.h>

static char text[4] = "a";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *prints(void *arg)
{
    pthread_mutex_lock(&m);
    puts(text);
    perror(text);
    printf("%s\n", text);
    fputs(text, stdout);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, prints, 0);
    pthread_mutex_lock(&m);
    text[0] = 'b';
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
