#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

int main(void){ int x=1; switch(x){case 0: return 0; default: __builtin_unreachable();} }
