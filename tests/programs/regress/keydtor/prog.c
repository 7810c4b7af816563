#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

pthread_key_t k; int y;
void d(void*p){ assert(0); }
void *f(void *a){ pthread_setspecific(k,&y); return 0; }
int main(void){ pthread_key_create(&k,d); pthread_t a; pthread_create(&a,0,f,0); pthread_join(a,0); }
