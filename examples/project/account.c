/*
 * A part of both programs of the project.
 *
 * What to see: it is linked because their mains need it.
 */
#include "account.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int amount;

void deposit(int more)
{
    pthread_mutex_lock(&mutex);
    amount += more;
    pthread_mutex_unlock(&mutex);
}

int balance(void)
{
    return amount;
}
