/* Shifts at every width, logical and arithmetic. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint8_t u8 = 0xf1;
    uint16_t u16 = 0xf001;
    uint32_t u32 = 0xf0000001u;
    uint64_t u64 = 0xf000000000000001u;
    int8_t s8 = -100;
    int16_t s16 = -20000;
    int32_t s32 = -2000000000;
    int64_t s64 = -9000000000000000000;

    for (int k = 0; k < 8; k += 3) {
        printf("u8 %x %x\n", (uint8_t)(u8 >> k), (uint8_t)(u8 << k));
        printf("s8 %d\n", s8 >> k);
    }
    for (int k = 1; k < 16; k += 7)
        printf("16: %x %x %d\n", u16 >> k, (uint16_t)(u16 << k), s16 >> k);
    for (int k = 0; k < 32; k += 31)
        printf("32: %x %x %d\n", u32 >> k, u32 << k, s32 >> k);
    for (int k = 1; k < 64; k += 31)
        printf("64: %llx %llx %lld\n", (unsigned long long)(u64 >> k),
               (unsigned long long)(u64 << k), (long long)(s64 >> k));
    return u8 >> 2;
}
