/* A thread is made again after a longjmp. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;
static int made;
static pthread_t t[2];

static void *enters(void *arg)
{
    static int inside;

    assert(!inside);
    inside = 1;
    inside = 0;
    return arg;
}

static void make_and_jump(void)
{
    pthread_create(&t[made++], 0, enters, 0);
    longjmp(back, 1);
}

int main(void)
{
    setjmp(back);
    if (made < 2)
        make_and_jump();
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
