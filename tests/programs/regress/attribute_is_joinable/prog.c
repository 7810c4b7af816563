/* pthread_attr_getdetachstate stores what the attribute says. */
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_attr_t attr;
    int state = -1;

    pthread_attr_init(&attr);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    return 0;
}
