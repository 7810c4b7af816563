/* Global tables of floats and doubles, including special values. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static const float fs[] = { 0.5f, -0.25f, 1e10f, 3, -0.0f };
static const double ds[2][3] = { { 1.0, 2.5e-3, -1e300 }, { INFINITY, -INFINITY, DBL_EPSILON } };
static const struct { const char *name; double value; float error; } constants[] = {
    { "pi", 3.14159265358979, 1e-14f },
    { "e", 2.71828182845905, .5e-14f },
    { "minus", -1 / 8., 0 },
};

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        printf("%g ", fs[i]);
        sum += fs[i];
    }
    printf("= %g\n", sum);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            printf("%g ", ds[i][j]);
    putchar('\n');
    for (int i = 0; i < 3; i++)
        printf("%s %.10f %g\n", constants[i].name, constants[i].value, constants[i].error);
    printf("%d %d\n", signbit(fs[4]) != 0, isinf(ds[1][0]) != 0);
    return (int)(constants[0].value * constants[1].value * 10);
}
