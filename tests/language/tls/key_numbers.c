/* A new key gets the lowest number that is free, and destructors run by number. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t keys[4];
static int rounds;

static void a(void *value) { printf("a %d\n", *(int *)value); }
static void b(void *value)
{
    printf("b %d\n", *(int *)value);
    if (++rounds == 3)
        exit(rounds);
    pthread_setspecific(keys[1], value);
}
static void c(void *value)
{
    printf("c %d %d\n", *(int *)value, pthread_getspecific(keys[2]) == NULL);
}
static void d(void *value)
{
    printf("d %d\n", *(int *)value);
    if (rounds == 0)
        pthread_setspecific(keys[2], value);
}

int main(void)
{
    static int values[] = {10, 11, 12, 13};

    pthread_key_create(&keys[0], a);
    pthread_key_create(&keys[1], b);
    pthread_key_create(&keys[2], c);
    pthread_key_delete(keys[0]);
    pthread_key_create(&keys[3], d);
    pthread_key_create(&keys[0], a);
    for (int i = 3; i >= 0; i--)
        pthread_setspecific(keys[i], &values[i]);
    pthread_exit(NULL);
}
