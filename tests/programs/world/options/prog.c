/* The number of threads is an option; without one, there are two. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[4];
    int number = 2, option;

    while ((option = getopt(argc, argv, "t:v")) != -1)
        if (option == 't')
            number = atoi(optarg);
        else if (option != 'v')
            return 2;
    assert(number <= 4);
    for (int i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    assert(count == number);
    return 0;
}
