/* Adding and doubling decimal numbers kept as strings. */
#include <stdio.h>
#include <string.h>

#define MAX 40

static void add(const char *a, const char *b, char *out)
{
    char rev[MAX];
    int i = (int)strlen(a), j = (int)strlen(b), n = 0, carry = 0;
    while (i > 0 || j > 0 || carry) {
        int s = carry;
        if (i > 0)
            s += a[--i] - '0';
        if (j > 0)
            s += b[--j] - '0';
        rev[n++] = (char)('0' + s % 10);
        carry = s / 10;
    }
    for (int k = 0; k < n; k++)
        out[k] = rev[n - 1 - k];
    out[n] = '\0';
}

int main(void)
{
    char a[MAX] = "99999999999999999999", b[MAX];
    add(a, "1", b);
    puts(b);
    add(b, "123456789012345678901234567890", a);
    puts(a);
    char power[MAX] = "1", next[MAX];
    for (int i = 0; i < 25; i++) {
        add(power, power, next);
        strcpy(power, next);
    }
    puts(power);
    int digits = 0;
    for (char *p = power; *p; p++)
        digits += *p - '0';
    return digits;
}
