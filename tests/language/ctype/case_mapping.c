/* toupper and tolower, title-casing and counting. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    char s[] = "the QUICK brown-fox, 42 tiMES";
    int start = 1, letters = 0, digits = 0, others = 0;
    for (char *p = s; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (isalpha(c)) {
            *p = (char)(start ? toupper(c) : tolower(c));
            letters++;
            start = 0;
        } else {
            if (isdigit(c))
                digits++;
            else
                others++;
            start = 1;
        }
    }
    puts(s);
    printf("%d %d %d\n", letters, digits, others);
    printf("%c%c%c%c\n", toupper('z'), tolower('['), toupper('1'), tolower('M'));
    printf("%d %d\n", toupper(EOF) == EOF, !!isalpha(EOF));
    int changed = 0;
    for (int c = 0; c < 128; c++)
        changed += (toupper(c) != c) + (tolower(c) != c);
    printf("%d\n", changed);
    return letters + changed;
}
