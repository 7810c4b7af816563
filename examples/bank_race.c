/*
 * Two tellers move money under a lock; a monitor prints how many transfers
 * were made so far, and forgets the lock.
 *
 * What to see: no assertion fails and the balance is always right, but reading
 * transfers without the lock is a data race (look for races with
 * --check race).
 *
 * Parameters: -DROUNDS=1  (transfers per teller)
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int account[2] = {100, 100};
static int transfers;

static void *teller(void *arg)
{
    int from = (int)(intptr_t)arg;

    for (int r = 0; r < ROUNDS; r++) {
        pthread_mutex_lock(&mutex);
        account[from] -= 10;
        account[1 - from] += 10;
        transfers++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *monitor(void *arg)
{
    (void)arg;

    printf("%d transfers so far\n", transfers);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, teller, (void *)(intptr_t)i);
    pthread_create(&thread[2], NULL, monitor, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);

    assert(account[0] == 100 && account[1] == 100);
    assert(transfers == 2 * ROUNDS);
    return 0;
}
