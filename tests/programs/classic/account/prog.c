/* Two endless threads withdraw any amount that is there, one pays in: the balance stays between 0
   and MOST. -DBROKEN looks at the balance before it takes the mutex. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#define MOST 1000

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *arg)
{
    (void)arg;
    while (1) {
        int amount = __VERIFIER_nondet_int();

        __VERIFIER_assume(0 < amount && amount <= MOST);
        pthread_mutex_lock(&m);
        if (amount <= MOST - balance)
            balance += amount;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *withdraw(void *arg)
{
    (void)arg;
    while (1) {
        int amount = __VERIFIER_nondet_int();

        __VERIFIER_assume(0 < amount && amount <= MOST);
#ifdef BROKEN
        int covered = amount <= balance;
        pthread_mutex_lock(&m);
#else
        pthread_mutex_lock(&m);
        int covered = amount <= balance;
#endif
        if (covered)
            balance -= amount;
        assert(0 <= balance && balance <= MOST);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, deposit, NULL);
    pthread_create(&t[1], NULL, withdraw, NULL);
    pthread_create(&t[2], NULL, withdraw, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
