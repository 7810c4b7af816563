#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *p){ if (x==1) { assert(pthread_mutex_trylock(&m)==0); } return 0; }
int main(void){ pthread_t a; pthread_mutex_lock(&m); pthread_create(&a,0,f,0); x=1; memset(&m,0,sizeof m); pthread_join(a,0); }
