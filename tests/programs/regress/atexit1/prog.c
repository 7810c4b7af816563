#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x;
void h(void){ int a=x; int b=x; assert(a==b); }
void *f(void *a){ x=1; return 0; }
int main(void){ atexit(h); pthread_t a; pthread_create(&a,0,f,0); return 0; }
