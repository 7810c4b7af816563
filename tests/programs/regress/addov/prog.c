#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x[4];
void *f(void *q){ uintptr_t u; __builtin_add_overflow((uintptr_t)&x[0],(uintptr_t)4,&u); int *p=(int*)u; int t=*p; *p=t+1; return 0; }
int main(void){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(x[1]==2); }
