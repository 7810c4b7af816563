/* A jump goes to a place of its own thread only, and not into a function that has returned. */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;
static int tries;

static void set(void)
{
    if (setjmp(place))
        tries++;
}

static void *jump(void *unused)
{
    if (tries == 0)
        longjmp(place, 1);
    return unused;
}

int main(void)
{
    pthread_t other;

    set();
#ifdef OTHER
    pthread_create(&other, NULL, jump, NULL);
    pthread_join(other, NULL);
#else
    jump(NULL);
    (void)other;
#endif
    return 0;
}
