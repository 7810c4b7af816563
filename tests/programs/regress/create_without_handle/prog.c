#include <pthread.h>
void *t(void *a) { return 0; }
int main(void) { pthread_create(0, 0, t, 0); return 0; }
