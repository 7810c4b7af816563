/* Global pointers initialised to elements, members and other globals. */
#include <stdio.h>

struct pair { int a, b; };

int numbers[] = { 10, 20, 30, 40 };
int *third = &numbers[2];
int *past = numbers + 4;
struct pair pairs[2] = { { 1, 2 }, { 3, 4 } };
int *member = &pairs[1].b;
struct pair *second = pairs + 1;
const char text[] = "global text";
const char *word = text + 7;
const char *const *indirect = &word;
int **chain = &third;
extern int later;
int *forward = &later;
int later = 77;
char *writable = (char[]){ "buffer" };

int main(void)
{
    printf("%d %d %d\n", *third, past[-1], (int)(past - third));
    printf("%d %d\n", *member, second->a);
    printf("%s %s\n", word, *indirect);
    **chain = 33;
    *chain = numbers;
    printf("%d %d\n", numbers[2], *third);
    *forward -= 7;
    printf("%d\n", later);
    writable[0] = 'B';
    puts(writable);
    return later + *member;
}
