#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

void *k; int e;
void *f(void *q){ if (e==1) assert(k!=0); return 0; }
int main(void){ pthread_t a; pthread_create(&a,0,f,0); e=1; posix_memalign(&k,16,16); pthread_join(a,0); }
