#include <assert.h>
#include <pthread.h>
void *t(void *a) { assert(*(int*)a == 1); return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t h;
        int x = 1;
        pthread_create(&h, 0, t, &x);
        pthread_join(h, 0);
    }
    return 0;
}
