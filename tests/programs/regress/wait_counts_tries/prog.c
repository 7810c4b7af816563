#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>
int ready, cnt, gen, paused; 
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c=PTHREAD_COND_INITIALIZER;
#define WAIT() pthread_cond_wait(&c,&m)
void *w(void*a){ int tries=3; pthread_mutex_lock(&m); while(!ready && tries-- > 0) WAIT(); assert(ready); pthread_mutex_unlock(&m); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,w,0); pthread_mutex_lock(&m); ready=1; gen++; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); pthread_join(t,0); return 0; }
