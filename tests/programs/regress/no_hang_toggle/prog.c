/* What the thread toggles others may see; that it also writes what nobody sees changes nothing. */
#include <pthread.h>

static int stop, light, scratch;

static void *toggles(void *arg)
{
    while (!stop) {
        scratch = 0;
        light = !light;
        scratch = 5;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, toggles, 0);
    stop = 0;
    if (light)
        stop = 0;
    pthread_join(t, 0);
    return 0;
}
