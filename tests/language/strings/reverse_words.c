/* Reversing a string, then the words of it, in place. */
#include <stdio.h>
#include <string.h>

static void reverse(char *first, char *last)
{
    while (first < last) {
        char t = *first;
        *first++ = *last;
        *last-- = t;
    }
}

static int palindrome(const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++)
        if (s[i] != s[n - 1 - i])
            return 0;
    return 1;
}

int main(void)
{
    char s[] = "the quick brown fox";
    reverse(s, s + strlen(s) - 1);
    puts(s);
    int words = 0;
    for (char *p = s; *p;) {
        char *e = p;
        while (*e && *e != ' ')
            e++;
        reverse(p, e - 1);
        words++;
        p = *e ? e + 1 : e;
    }
    puts(s);
    printf("%d %d %d\n", palindrome("racecar"), palindrome("abca"), palindrome(""));
    return words;
}
