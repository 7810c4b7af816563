#include <pthread.h>
#include <assert.h>
int x;
void *t(void *a) { assert(x == 0); x = 1; return 0; }
int main(void) { pthread_t p; while (1) pthread_create(&p, 0, t, 0); }
