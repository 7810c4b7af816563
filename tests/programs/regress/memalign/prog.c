#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int *p;
void *f(void *a){ int t=*p; *p=t+1; return 0; }
int main(void){ posix_memalign((void**)&p,16,64); *p=0; pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(*p==2); }
