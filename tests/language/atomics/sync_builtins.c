/* The legacy __sync_* builtins on several widths. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int n = 7;
    int a = __sync_fetch_and_add(&n, 3);
    int b = __sync_add_and_fetch(&n, 3);
    int c = __sync_sub_and_fetch(&n, 20);
    printf("%d %d %d %d\n", a, b, c, n);
    unsigned char uc = 0xaa;
    unsigned d = __sync_fetch_and_or(&uc, 0x0f);
    unsigned e = __sync_and_and_fetch(&uc, 0x3c);
    unsigned f = __sync_xor_and_fetch(&uc, 0xff);
    printf("%x %x %x\n", d, e, f);
    uint64_t q = 1;
    printf("%d\n", __sync_bool_compare_and_swap(&q, 1, (uint64_t)1 << 60));
    printf("%llx\n", (unsigned long long)__sync_val_compare_and_swap(&q, 5, 6));
    short s = -1;
    printf("%d\n", __sync_lock_test_and_set(&s, 12));
    printf("%d\n", s);
    __sync_lock_release(&s);
    __sync_synchronize();
    printf("%d\n", s);
    int arr[3] = { 1, 2, 3 };
    for (int i = 0; i < 3; i++)
        __sync_fetch_and_sub(&arr[i], i * i);
    printf("%d %d %d\n", arr[0], arr[1], arr[2]);
    return (int)f % 126;
}
