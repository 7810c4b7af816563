/* Validating identifiers and numbers with ctype. */
#include <ctype.h>
#include <stdio.h>

enum kind { EMPTY, NAME, INTEGER, HEX, BAD };

static enum kind check(const char *s)
{
    if (!*s)
        return EMPTY;
    if (isalpha((unsigned char)*s) || *s == '_') {
        while (isalnum((unsigned char)*s) || *s == '_')
            s++;
        return *s ? BAD : NAME;
    }
    if (s[0] == '0' && tolower((unsigned char)s[1]) == 'x' && isxdigit((unsigned char)s[2])) {
        for (s += 2; isxdigit((unsigned char)*s); s++)
            ;
        return *s ? BAD : HEX;
    }
    while (isdigit((unsigned char)*s))
        s++;
    return *s ? BAD : INTEGER;
}

int main(void)
{
    static const char *const names[] = { "empty", "name", "integer", "hex", "bad" };
    static const char *const in[] = { "x1", "_a_", "9", "0x1F", "0xg", "1a", "", "a-b", "007", "0X0" };
    int code = 0;
    for (int i = 0; i < 10; i++) {
        enum kind k = check(in[i]);
        printf("%-6s%s\n", in[i], names[k]);
        code += (int)k * (i + 1) / 2;
    }
    return code;
}
