/* The memory of a condition variable is overwritten: nobody in it waits. */
#include <pthread.h>
#include <string.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    memset(&c, 0x7f, sizeof c);
    pthread_cond_signal(&c);
    return 0;
}
