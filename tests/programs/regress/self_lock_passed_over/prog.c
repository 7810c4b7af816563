/* The schedules of a verifier must not pass over a thread that waits for itself. */
#include <pthread.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static void *thread0(void *arg) { while (1) pthread_mutex_lock(&m0); return 0; }
int main(void) { pthread_t t[1]; pthread_create(&t[0], 0, thread0, 0); return 0; }
