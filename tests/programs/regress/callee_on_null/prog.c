// null base in a variable plus an address
#include <pthread.h>
#include <stdint.h>
#include <semaphore.h>
#include <stdlib.h>
sem_t s;
char *z;
typedef void*(*F)(void*);
void *t(void*_) { while (sem_trywait(&s)) ; return 0; }
int main(){ sem_init(&s,0,1); F f=(F)(z+(uintptr_t)t); pthread_t u,v; pthread_create(&u,0,f,0); pthread_create(&v,0,f,0); pthread_join(u,0); pthread_join(v,0); return 0; }
