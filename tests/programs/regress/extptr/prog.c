#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdatomic.h>
#include <semaphore.h>

extern int *ext(void);
int main(void){ int *p=ext(); if (p) assert(*p==0); }
