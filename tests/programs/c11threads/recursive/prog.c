/* A recursive mutex can be locked again, a plain one cannot. */
#include <assert.h>
#include <threads.h>

static mtx_t m;

int main(void)
{
    mtx_init(&m, KIND);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_unlock(&m) == thrd_success);
    assert(mtx_unlock(&m) == thrd_success);
    return 0;
}
