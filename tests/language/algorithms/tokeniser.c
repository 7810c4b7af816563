/* A tokeniser with an enum of kinds and a position in the input. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum kind { END, NUMBER, NAME, STRING, OPERATOR };
struct token { enum kind kind; const char *start; int length; long value; };

static struct token next(const char **in)
{
    static const char *const doubles[] = { "==", "<=", "&&", "->" };
    while (isspace((unsigned char)**in))
        ++*in;
    struct token t = { END, *in, 0, 0 };
    const char *p = *in;
    if (isdigit((unsigned char)*p)) {
        t.kind = NUMBER;
        for (; isdigit((unsigned char)*p); p++)
            t.value = t.value * 10 + (*p - '0');
    } else if (isalpha((unsigned char)*p)) {
        t.kind = NAME;
        while (isalnum((unsigned char)*p))
            p++;
    } else if (*p == '"') {
        t.kind = STRING;
        for (p++; *p && *p != '"'; p++)
            ;
        p += *p == '"';
    } else if (*p) {
        t.kind = OPERATOR;
        p++;
        for (int i = 0; i < 4; i++)
            if (strncmp(*in, doubles[i], 2) == 0)
                p = *in + 2;
    }
    t.length = (int)(p - *in);
    *in = p;
    return t;
}

int main(void)
{
    const char *in = "if (x1 <= 420) p->y = \"a b\" + 7;";
    int count[5] = { 0 };
    struct token t;
    long sum = 0;
    while ((t = next(&in)).kind != END) {
        printf("%d:%.*s ", (int)t.kind, t.length, t.start);
        count[t.kind]++;
        sum += t.value;
    }
    printf("\n%d %d %d %d %ld\n", count[1], count[2], count[3], count[4], sum);
    return count[OPERATOR] * 10 + count[NAME];
}
