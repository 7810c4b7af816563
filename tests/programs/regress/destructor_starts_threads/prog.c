#include <pthread.h>
#include <assert.h>
int x; pthread_key_t k; pthread_t h[3]; 
void *w2(void*a){ int l=x; x=l+1; assert(x==l+1); return 0; }
void d(void*p){ pthread_t t; pthread_create(&t,0,w2,0); }
void *w(void*a){ pthread_setspecific(k,(void*)1); return 0; }
int main(){ pthread_key_create(&k,d); pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); pthread_join(t,0); pthread_join(u,0); pthread_exit(0); }
