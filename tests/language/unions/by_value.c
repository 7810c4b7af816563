/* Unions passed to and returned from functions by value. */
#include <stdint.h>
#include <stdio.h>

union num { int32_t i; float f; };
union wide { int64_t l; double d; char text[8]; };
union huge { int words[8]; char text[32]; };

static union num negate(union num n, int is_float)
{
    if (is_float)
        n.f = -n.f;
    else
        n.i = -n.i;
    return n;
}

static union wide letter(union wide w, int k, char c)
{
    w.text[k] = c;
    return w;
}

static union huge fill(int seed)
{
    union huge h;
    for (int i = 0; i < 8; i++)
        h.words[i] = seed + i;
    return h;
}

int main(void)
{
    printf("%d\n", negate((union num){ .i = 17 }, 0).i);
    printf("%.2f\n", negate((union num){ .f = -1.75f }, 1).f);
    union wide w = { .text = "sample" };
    w = letter(w, 0, 'S');
    w = letter(w, 6, '!');
    printf("%.8s\n", w.text);
    union huge h = fill('a');
    printf("%c%c %d\n", h.text[0], h.text[28], h.words[7]);
    return h.words[3];
}
