#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

extern void *__VERIFIER_nondet_pointer(void);
int main(void){ void *p=__VERIFIER_nondet_pointer(); assert(p==0); }
