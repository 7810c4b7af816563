#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x; int *src=&x; 
int main(void){ int *d; char *a=(char*)&d,*b=(char*)&src; for(int i=0;i<8;i++) {int c=b[i]; a[i]=c;} *d=1; assert(x==1); }
