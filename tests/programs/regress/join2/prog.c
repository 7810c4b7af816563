#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

void *f(void*p){ return 0; }
int main(void){ pthread_t a; pthread_create(&a,0,f,0); pthread_join(a,0); pthread_join(a,0);}
