#include <assert.h>
#include <pthread.h>
int *p;
void *t(void *a) { assert(*p == 1); return 0; }
int main(void) {
    pthread_t h;
    {
        int x = 1;
        p = &x;
        pthread_create(&h, 0, t, 0);
    }
    pthread_join(h, 0);
    return 0;
}
