/* Double-checked initialisation: the unlocked look at the pointer is a race unless it is atomic. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *QUALIFIER instance;

static int *get(void)
{
    if (instance == NULL) {
        pthread_mutex_lock(&m);
        if (instance == NULL) {
            object = 5;
            instance = &object;
        }
        pthread_mutex_unlock(&m);
    }
    return instance;
}

static void *run(void *arg)
{
    (void)arg;
    assert(*get() == 5);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
