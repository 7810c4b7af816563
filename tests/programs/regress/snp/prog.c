#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

char s[8]="a"; int e;
void *f(void *p){ e=1; char b[8]; snprintf(b,8,"%s",s); assert(b[0]=='a'); return 0; }
void *k(void *p){ if (e==1) s[0]='b'; return 0; }
int main(void){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,k,0); pthread_join(a,0); pthread_join(b,0); }
