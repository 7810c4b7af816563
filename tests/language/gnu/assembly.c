#include <stdint.h>
#include <stdio.h>

static int fetch_add(volatile int *p, int v)
{
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static int exchange(volatile int *p, int v)
{
    __asm__ __volatile__("xchgl %0, %1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}

static void *exchange_pointer(void *volatile *p, void *v)
{
    __asm__ __volatile__("xchgq %1, %0" : "+m"(*p), "+r"(v) : : "memory");
    return v;
}

static int compare(volatile int *p, int old, int new)
{
    int found;

    __asm__ __volatile__("lock; cmpxchgl %1, %2"
                         : "=a"(found)
                         : "r"(new), "m"(*p), "0"(old)
                         : "memory");
    return found;
}

static int compare_in_out(volatile int *p, int old, int new)
{
    int found;

    __asm__ __volatile__("lock\n\tcmpxchgl %2, %1\n"
                         : "=a"(found), "+m"(*p)
                         : "r"(new), "0"(old)
                         : "memory", "cc");
    return found;
}

static char compare_and_tell(volatile long *p, long *old, long new)
{
    char done;

    __asm__ __volatile__("lock; cmpxchgq %3, %0; setz %1"
                         : "+m"(*p), "=q"(done), "+a"(*old)
                         : "r"(new)
                         : "memory");
    return done;
}

static unsigned char compare_byte(volatile unsigned char *p, unsigned char old, unsigned char new)
{
    unsigned char done;

    __asm__ __volatile__("lock cmpxchgb %2, %1; sete %0"
                         : "=q"(done), "+m"(*p), "+a"(old)
                         : "q"(new)
                         : "memory");
    return done;
}

int main(void)
{
    volatile int x = 5;
    volatile long y = 1L << 40;
    volatile unsigned char z = 250;
    long expected = 3;
    int a = 1, b = 2;
    void *volatile p = &a;

    printf("%d %d\n", fetch_add(&x, 7), x);
    printf("%d %d\n", exchange(&x, -3), x);
    printf("%d %d\n", exchange_pointer(&p, &b) == &a, p == &b);
    printf("%d %d\n", compare(&x, 1, 2), x);
    printf("%d %d\n", compare(&x, -3, 9), x);
    printf("%d %d %d %d\n", compare_in_out(&x, 9, 8), x, compare_in_out(&x, 9, 7), x);
    printf("%d %ld", compare_and_tell(&y, &expected, 4), y);
    printf(" %ld\n", expected);
    printf("%d %ld", compare_and_tell(&y, &expected, 4), y);
    printf(" %ld\n", expected);
    printf("%d %d %d %d\n", compare_byte(&z, 1, 2), z, compare_byte(&z, 250, 7), z);
    __asm__ __volatile__("lock; incl %0" : "+m"(x) : : "memory");
    __asm__ __volatile__("lock; addl %1, %0" : "+m"(x) : "ir"(30));
    __asm__ __volatile__("lock; subl %1, %0" : "+m"(x) : "r"(b));
    __asm__ __volatile__("lock; orl $64, %0" : "+m"(x));
    __asm__ __volatile__("lock; decq %0" : "+m"(y));
    __asm__ __volatile__("lock; andb %1, %0" : "+m"(z) : "iq"((unsigned char)6));
    __asm__ __volatile__("mfence" ::: "memory");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ __volatile__("rep; nop");
    printf("%d %ld %d\n", x, y, z);
    return 0;
}
