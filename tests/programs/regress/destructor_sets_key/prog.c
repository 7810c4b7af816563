#include <pthread.h>
pthread_key_t k;
void d(void*p){ pthread_setspecific(k,p); }
void *w(void*a){ pthread_setspecific(k,(void*)1); return 0; }
int main(){ pthread_key_create(&k,d); pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); return 0; }
