/* Alignment attributes and _Alignas change size and offsets. */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct line { int v; } __attribute__((aligned(64)));
struct mixed { char c; alignas(16) char d; short s; };
struct __attribute__((packed, aligned(2))) tight { char a; long b; char c; };

static struct line global_lines[2];

int main(void)
{
    printf("%zu %zu\n", sizeof(struct line), alignof(struct line));
    printf("%zu %zu %zu\n", sizeof(struct mixed), offsetof(struct mixed, d), offsetof(struct mixed, s));
    printf("%zu %zu\n", sizeof(struct tight), alignof(struct tight));
    struct line local[3] = { { 1 }, { 2 }, { 3 } };
    global_lines[1] = local[2];
    alignas(32) char buffer[5] = "abcd";
    printf("%d %d\n", (int)((uintptr_t)&local[1] % 64), (int)((uintptr_t)global_lines % 64));
    printf("%d %s\n", (int)((uintptr_t)buffer % 32), buffer);
    printf("%d\n", (int)((char *)&local[2] - (char *)&local[0]));
    struct tight t = { 1, -2, 3 };
    t.b += t.a;
    printf("%ld %d\n", t.b, global_lines[1].v);
    return (int)sizeof(struct mixed) + t.c;
}
