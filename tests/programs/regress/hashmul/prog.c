#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int x;
int main(void){ unsigned long u=(uintptr_t)&x; u=u*2654435761u; if (u==1) return 1; return 0; }
