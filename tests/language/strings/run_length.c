/* Run-length encoding and decoding of a string. */
#include <stdio.h>
#include <string.h>

static int encode(const char *in, char *out)
{
    char *o = out;
    while (*in) {
        int n = 1;
        while (in[n] == *in && n < 9)
            n++;
        if (n > 1)
            *o++ = (char)('0' + n);
        *o++ = *in;
        in += n;
    }
    *o = '\0';
    return (int)(o - out);
}

static int decode(const char *in, char *out)
{
    int len = 0;
    for (; *in; in++) {
        int n = 1;
        if (*in >= '2' && *in <= '9')
            n = *in++ - '0';
        while (n--)
            out[len++] = *in;
    }
    out[len] = '\0';
    return len;
}

int main(void)
{
    const char *text = "aaabccddddddddddddx";
    char packed[40], plain[40];
    int n = encode(text, packed);
    int m = decode(packed, plain);
    printf("%s %d\n%s %d\n", packed, n, plain, m);
    printf("%s\n", strcmp(text, plain) ? "differ" : "same");
    return n * 10 + m % 10;
}
