#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

char **av;
void *f(void *q){ char t=av[0][0]; av[0][0]=t+1; return 0; }
int main(int argc,char**argv){ av=argv; argv[0][0]=0; pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); assert(argv[0][0]==2); }
