/* Base64 encoding and decoding with padding. */
#include <stdio.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *in, int n, char *out)
{
    for (int i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16;
        if (i + 1 < n)
            v |= (unsigned)in[i + 1] << 8;
        if (i + 2 < n)
            v |= in[i + 2];
        *out++ = digits[v >> 18];
        *out++ = digits[v >> 12 & 63];
        *out++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
        *out++ = i + 2 < n ? digits[v & 63] : '=';
    }
    *out = '\0';
}

static int decode(const char *in, unsigned char *out)
{
    int n = 0, bits = 0;
    unsigned v = 0;
    for (; *in && *in != '='; in++) {
        v = v << 6 | (unsigned)(strchr(digits, *in) - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (unsigned char)(v >> bits);
        }
    }
    return n;
}

int main(void)
{
    static const char *const in[] = { "M", "Ma", "Man", "Many hands" };
    int total = 0;
    for (int i = 0; i < 4; i++) {
        char text[24];
        unsigned char back[24];
        encode((const unsigned char *)in[i], (int)strlen(in[i]), text);
        int n = decode(text, back);
        printf("%s %d %s\n", text, n, memcmp(back, in[i], (size_t)n) ? "differs" : "same");
        total += n;
    }
    return total;
}
