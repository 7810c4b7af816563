#include <threads.h>
#include <assert.h>
mtx_t m;
int f(void *p){ assert(mtx_trylock(&m)!=thrd_busy); return 0; }
int main(void){ mtx_init(&m,mtx_plain); mtx_lock(&m); thrd_t t; thrd_create(&t,f,0); thrd_join(t,0); }
