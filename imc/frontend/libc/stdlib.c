/* <stdlib.h>: sorting, searching and integer arithmetic. */
#include <stddef.h>

extern void *memcpy(void *restrict to, const void *restrict from, size_t n);
extern void *memmove(void *to, const void *from, size_t n);

typedef int comparison(const void *, const void *);

/* Insertion with binary search: few calls of `compare`, and equal elements keep their order, as
 * they do in glibc's merge sort. */
void qsort(void *base, size_t count, size_t size, comparison *compare)
{
    unsigned char *elements = base;

    if (count < 2 || size == 0)
        return;
    unsigned char moving[size];
    for (size_t i = 1; i < count; i++) {
        unsigned char *element = elements + i * size;
        size_t low = 0, high = i;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (compare(elements + middle * size, element) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < i) {
            unsigned char *place = elements + low * size;

            memcpy(moving, element, size);
            memmove(place + size, place, (i - low) * size);
            memcpy(place, moving, size);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const unsigned char *element = (const unsigned char *)base + middle * size;
        int order = compare(key, element);

        if (order == 0)
            return (void *)element;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

typedef struct {
    int quot, rem;
} div_t;

typedef struct {
    long quot, rem;
} ldiv_t;

typedef struct {
    long long quot, rem;
} lldiv_t;

div_t div(int a, int b)
{
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b)
{
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b)
{
    return (lldiv_t){a / b, a % b};
}

/* The same numbers as glibc's: the high bits of three steps of a linear generator. */
int rand_r(unsigned *seed)
{
    unsigned result = 0;

    for (int step = 0; step < 3; step++) {
        *seed = *seed * 1103515245u + 12345u;
        result = result << 10 ^ (*seed >> 16) % (step == 0 ? 2048u : 1024u);
    }
    return (int)result;
}
