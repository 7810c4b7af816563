#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

__attribute__((destructor)) void d(void){ assert(0); }
int main(void){ return 0; }
