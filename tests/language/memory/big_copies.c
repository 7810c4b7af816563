/* Copies and fills too large to be unrolled, with checksums. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct page { uint8_t bytes[600]; };

static uint32_t sample(const uint8_t *p, int n)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i += 13)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

static struct page clone(const struct page *p) { return *p; }

int main(void)
{
    static struct page a, b;
    memset(a.bytes, 0x5a, sizeof a.bytes);
    memset(a.bytes + 100, 1, 300);
    for (int i = 0; i < 600; i += 50)
        a.bytes[i] = (uint8_t)i;
    printf("%08x %08x\n", sample(a.bytes, 600), sample(b.bytes, 600));
    b = a;
    printf("%d\n", memcmp(&a, &b, sizeof a));
    memmove(b.bytes + 1, b.bytes, 599);
    printf("%08x\n", sample(b.bytes, 600));
    b = clone(&a);
    b.bytes[599]++;
    printf("%d %d\n", memcmp(&a, &b, 599), memcmp(&a, &b, 600) < 0);
    return (int)(sample(b.bytes + 1, 590) % 100);
}
