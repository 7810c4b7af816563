#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int balance = 10, withdrawals;

static void *withdraw(void *amount)
{
    __VERIFIER_atomic_begin();
    if (balance >= *(int *)amount) {
        balance -= *(int *)amount;
        withdrawals++;
    }
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    static int seven = 7, eight = 8;
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, &seven);
    pthread_create(&b, NULL, withdraw, &eight);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 3);
    return 0;
}
