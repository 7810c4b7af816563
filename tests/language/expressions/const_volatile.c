/* const data, volatile accesses and casts between qualifiers. */
#include <stdio.h>

static volatile int ticks;
static const int limits[] = { 3, 5, 8 };
static volatile unsigned char ports[4];

static void tick(void) { ticks = ticks + 1; }
static int read_twice(volatile int *p)
{
    int a = *p;
    int b = *p;
    return a + b;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        while (ticks < limits[i])
            tick();
    printf("%d\n", ticks);
    printf("%d\n", read_twice(&ticks));
    ports[0] = 0xf0;
    ports[1] = (unsigned char)(ports[0] >> 2);
    ports[2] = ports[0] ^ ports[1];
    printf("%x %x\n", ports[1], ports[2]);
    int plain = 10;
    const int *ro = &plain;
    plain++;
    int *rw = (int *)ro;
    *rw *= 2;
    printf("%d %d\n", *ro, plain);
    volatile double vd = 0.5;
    vd += vd;
    volatile long vl = -100;
    vl >>= 3;
    printf("%.1f %ld\n", vd, vl);
    const struct { int a; char b[4]; } cs = { 4, "ro" };
    printf("%d %s\n", cs.a, cs.b);
    return *ro + ticks;
}
