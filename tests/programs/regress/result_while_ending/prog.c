#include <pthread.h>
#include <assert.h>
int x; pthread_key_t k; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void d(void*p){ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
void *w(void*a){ pthread_setspecific(k,(void*)1); int v=x; return (void*)(long)v; }
int main(){ pthread_key_create(&k,d); pthread_t t; pthread_mutex_lock(&m); pthread_create(&t,0,w,0); x=1; pthread_mutex_unlock(&m); void*r; pthread_join(t,&r); assert((long)r==1); return 0; }
