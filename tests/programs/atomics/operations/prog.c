/* What the operations leave and return, without threads. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int main(void)
{
    atomic_int x = 12;
    atomic_bool b = false;
    _Atomic unsigned char c = 255;
    int expected = 3;

    assert(atomic_fetch_sub(&x, 2) == 12 && x == 10);
    assert(atomic_fetch_or(&x, 5) == 10 && x == 15);
    assert(atomic_fetch_and(&x, 6) == 15 && x == 6);
    assert(atomic_fetch_xor(&x, 3) == 6 && x == 5);
    assert(atomic_exchange(&x, 7) == 5 && x == 7);
    assert(!atomic_compare_exchange_strong(&x, &expected, 9));
    assert(expected == 7 && x == 7);
    assert(atomic_compare_exchange_strong(&x, &expected, 9));
    assert(expected == 7 && x == 9);
    assert(atomic_exchange(&b, true) == false && b);
    assert(atomic_fetch_add(&c, 2) == 255 && c == 1);
    assert((x *= 3) == 27 && x == 27);
    return 0;
}
