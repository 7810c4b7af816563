#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

pthread_rwlock_t l=PTHREAD_RWLOCK_INITIALIZER;
void *f(void*p){ pthread_rwlock_unlock(&l); return 0; }
int main(void){ pthread_t a; pthread_rwlock_rdlock(&l); pthread_create(&a,0,f,0); pthread_join(a,0); }
