#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

pthread_mutex_t m; pthread_cond_t c=PTHREAD_COND_INITIALIZER; int r;
void *f(void*p){ pthread_mutex_lock(&m); r=1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void){ pthread_mutexattr_t at; pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at,PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m,&at);
 pthread_t a; pthread_create(&a,0,f,0);
 pthread_mutex_lock(&m); pthread_mutex_lock(&m); while(!r) pthread_cond_wait(&c,&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); pthread_join(a,0); }
