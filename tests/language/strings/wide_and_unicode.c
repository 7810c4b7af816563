/* UTF-8 decoding, and wide and Unicode literals. */
#include <stddef.h>
#include <stdio.h>
#include <uchar.h>

static const char *decode(const char *s, unsigned *out)
{
    unsigned char c = (unsigned char)*s++;
    int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    unsigned v = more ? c & (0x3fu >> more) : c;
    while (more--)
        v = v << 6 | ((unsigned char)*s++ & 0x3f);
    *out = v;
    return s;
}

int main(void)
{
    const char *s = u8"a\u00e9\u20ac\U0001f600z";
    static const char32_t expected[] = U"a\u00e9\u20ac\U0001f600z";
    int n = 0, good = 0;
    while (*s) {
        unsigned v;
        s = decode(s, &v);
        printf("U+%04X\n", v);
        good += v == expected[n++];
    }
    wchar_t w[] = L"wide";
    char16_t h[] = u"\u20ac";
    printf("%zu %d %x\n", sizeof w / sizeof *w, (int)w[3], h[0]);
    return n * 10 + good;
}
