#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

pthread_once_t o=PTHREAD_ONCE_INIT; int x,count;
void init(void){ count++; }
void *f(void *p){ if (x==1) { pthread_once(&o,init); assert(count==2); } return 0; }
int main(void){ pthread_t a; pthread_once(&o,init); pthread_create(&a,0,f,0); x=1; o=PTHREAD_ONCE_INIT; pthread_join(a,0); }
