#include <assert.h>
#include <pthread.h>
void *t1(void *arg) { int v = *(int *)arg; assert(v != 7); return 0; }
int main(void) { pthread_t t; int x = 7; pthread_create(&t, 0, t1, &x); return 0; }
