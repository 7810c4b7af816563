/* One thread uses an object in a section, another one frees it in a section of the same lock: which one
 * comes first is for the lock to say, also where execution graphs leave sections unordered. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *object;

static void *use(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef ASKS
    if (object)
#endif
        *object = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *end(void *unused)
{
    pthread_mutex_lock(&mutex);
    free(object);
#ifdef ASKS
    object = NULL;
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t user, ender;
    object = malloc(sizeof *object);
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&ender, NULL, end, NULL);
    pthread_join(user, NULL);
    pthread_join(ender, NULL);
}
