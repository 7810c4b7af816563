#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

struct P {int a,b;} g,h1={1,1};
void *f(void*p){ g=h1; return 0; }
int main(void){ pthread_t a; pthread_create(&a,0,f,0); struct P l=g; pthread_join(a,0); assert(l.a==l.b);}
