/* _Static_assert at both scopes, inline functions, _Noreturn declarations. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(int) == 4, "int is 32 bits");
_Static_assert(CHAR_BIT == 8 && (char)-1 < 0, "char is a signed byte");
struct checked { int a; _Static_assert(sizeof(long) == 8, "LP64"); char b; };

static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static inline __attribute__((always_inline)) unsigned mix(unsigned h, unsigned v) { return (h ^ v) * 0x01000193u; }
static __attribute__((noinline)) int opaque(int v) { return v + 1; }
static _Noreturn void die(int code) { exit(code); }

int main(void)
{
    static_assert(_Alignof(struct checked) == 4, "aligned as int");
    printf("%d %d %d\n", clamp(5, 0, 3), clamp(-5, 0, 3), clamp(2, 0, 3));
    unsigned h = 0x811c9dc5u;
    for (const char *p = "hash"; *p; p++)
        h = mix(h, (unsigned char)*p);
    printf("%08x\n", h);
    int v = opaque(opaque(40));
    assert(v == 42);
    assert(h != 0 && "never zero");
    printf("%d\n", v);
    if (v != 42)
        die(1);
    return clamp(v, 50, 60);
}
