#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int *p; int g;
void *other(void *a){ g=1; return 0; }
void f(int x){ 
  if (g==0) { p=malloc(4); *p=0; } else p=&x;
  g=1; g=2;
  free(p);
}
int main(void){ pthread_t a; pthread_create(&a,0,other,0); f(0); pthread_join(a,0); }
