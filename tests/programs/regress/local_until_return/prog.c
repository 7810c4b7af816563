#include <assert.h>
#include <pthread.h>
void *t1(void *arg) { int v = *(int *)arg; assert(v != 7); return 0; }
pthread_t t; 
void start(void) { int x = 7; pthread_create(&t, 0, t1, &x); }
int main(void) { start(); pthread_join(t, 0); return 0; }
