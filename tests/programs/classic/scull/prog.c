/* A character device: opening it for writing empties it, writing appends, reading takes any
   position. -DBROKEN looks for space before it takes the mutex: a write beyond the end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#define QUANTUM 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char data[QUANTUM];
static int size;

static void device_write(char c)
{
#ifdef BROKEN
    int space = size < QUANTUM;
    pthread_mutex_lock(&m);
#else
    pthread_mutex_lock(&m);
    int space = size < QUANTUM;
#endif
    if (space)
        data[size++] = c;
    pthread_mutex_unlock(&m);
}

static void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    size = 0;
    pthread_mutex_unlock(&m);
    device_write('a');
    device_write('b');
    return NULL;
}

static void *reader(void *arg)
{
    int position = __VERIFIER_nondet_int();

    (void)arg;
    __VERIFIER_assume(position >= 0);
    pthread_mutex_lock(&m);
    if (position < size)
        assert(data[position] == 'a' || data[position] == 'b');
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
