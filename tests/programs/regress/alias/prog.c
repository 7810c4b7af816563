#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x;
void g(void){ x=1; }
void h(void) __attribute__((alias("g")));
int main(void){ h(); assert(x==0); }
