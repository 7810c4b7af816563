#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int *p; int c; int g;
void *other(void *a){ c=1; g=3; return 0; }
void f(int depth,int x){
  if (depth==1) { if (c==0) p=&x; f(2,0); *p=1; }
  else { if (!p) p=&x; c=1; g=3; g=4;}
}
int main(void){ pthread_t a; pthread_create(&a,0,other,0); f(1,0); pthread_join(a,0); return 0;}
