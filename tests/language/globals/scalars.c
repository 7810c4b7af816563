/* Global scalars of every type, initialised and zero-initialised. */
#include <stdio.h>

signed char g_sc = -5;
unsigned char g_uc = 250;
short g_s = -1234;
unsigned short g_us = 54321;
int g_i = -2147483647 - 1;
unsigned g_u = 4000000000u;
long g_l = -9000000000;
unsigned long long g_ull = 0xfedcba9876543210;
float g_f = -1.5e-3f;
double g_d = 6.02214076e23;
_Bool g_b = 3;
char g_text[8] = "abc";
int g_zero;
double g_zerod;
char *g_null;
int g_zeros[100];
struct { int a; double b; char c[3]; } g_struct;
int g_expr = (3 + 4) * 5 - sizeof(int) % 3;
const double g_third = 1.0 / 3;

int main(void)
{
    printf("%d %d %d %d\n", g_sc, g_uc, g_s, g_us);
    printf("%d %u %ld %llx\n", g_i, g_u, g_l, g_ull);
    printf("%g %g %d %s\n", g_f, g_d, g_b, g_text);
    printf("%d %g %d %d\n", g_zero, g_zerod, g_null == NULL, g_text[7]);
    int s = 0;
    for (int i = 0; i < 100; i += 9)
        s += g_zeros[i];
    printf("%d %d %.1f %d\n", s, g_struct.a, g_struct.b, g_struct.c[2]);
    printf("%d %.6f\n", g_expr, g_third);
    g_sc -= 100;
    return g_expr - g_sc % 50;
}
