/* Mutexes in a heap object, in an array and in a structure are objects of their own. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account *account;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *deposit(void *arg)
{
#ifdef ARRAY
    pthread_mutex_t *lock = &locks[(long)arg * WRONG];
#else
    pthread_mutex_t *lock = &account->lock;
    (void)arg;
#endif
    pthread_mutex_lock(lock);
    account->balance++;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    account = malloc(sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    account->balance = 0;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, deposit, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(account->balance == 2);
    pthread_mutex_destroy(&account->lock);
    free(account);
    return 0;
}
