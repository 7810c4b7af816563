/* Negative zero: equality, sign, division and printing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static int sign_bit(double d)
{
    unsigned char b[8];
    memcpy(b, &d, 8);
    return b[7] >> 7;
}

int main(void)
{
    volatile double pz = 0.0, nz = -0.0;
    printf("%d %d %d\n", pz == nz, sign_bit(pz), sign_bit(nz));
    printf("%g %g %.1f\n", pz, nz, nz);
    printf("%d %d\n", sign_bit(pz + nz), sign_bit(nz + nz));
    printf("%d %d\n", sign_bit(pz - pz), sign_bit(0 - pz));
    printf("%d %d\n", sign_bit(-pz), sign_bit(pz * -1));
    double plain_p = pz, plain_n = nz;
    printf("%d\n", memcmp(&plain_p, &plain_n, 8) != 0);
    printf("%g %g\n", copysign(3, nz), fabs(nz));
    printf("%d\n", sign_bit(sqrt(nz)));
    printf("%d %d\n", (int)nz, nz ? 1 : 2);
    float f = -0.0f;
    printf("%g %d\n", f, signbit(f) != 0);
    return sign_bit(nz) * 20 + sign_bit(pz) + 1;
}
