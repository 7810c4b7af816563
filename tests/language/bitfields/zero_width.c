/* A zero-width field starts a new storage unit. */
#include <stdio.h>
#include <string.h>

struct together { unsigned char a : 3, b : 3; };
struct apart { unsigned char a : 3; unsigned char : 0; unsigned char b : 3; };
struct holes { unsigned a : 4; unsigned : 12; unsigned b : 4; unsigned : 0; unsigned c : 8; };

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct together), sizeof(struct apart), sizeof(struct holes));
    struct apart s;
    memset(&s, 0, sizeof s);
    s.a = 5;
    s.b = 6;
    unsigned char bytes[2];
    memcpy(bytes, &s, 2);
    printf("%d %d\n", bytes[0] & 7, bytes[1] & 7);
    struct holes h;
    memset(&h, 0, sizeof h);
    h.a = 0xa;
    h.b = 0xb;
    h.c = 0xcd;
    unsigned words[2];
    memcpy(words, &h, sizeof words);
    printf("%x %x\n", words[0], words[1]);
    return (int)(h.a + h.b + (h.c & 15));
}
