/* strdup and strndup on the heap, split with strtok. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("key=value; other = thing;;last");
    if (!copy)
        return 1;
    int fields = 0, chars = 0;
    for (char *t = strtok(copy, "; "); t; t = strtok(NULL, "; ")) {
        printf("[%s]", t);
        fields++;
        chars += (int)strlen(t);
    }
    putchar('\n');
    printf("%d %d\n", fields, chars);
    free(copy);
    char *part = strndup("abcdefgh", 3);
    if (!part)
        return 2;
    printf("%s %zu\n", part, strlen(part));
    free(part);
    char line[] = "a:b::c", *save = NULL;
    for (char *t = strtok_r(line, ":", &save); t; t = strtok_r(NULL, ":", &save))
        printf("%s.", t);
    putchar('\n');
    return fields * 10 + chars % 10;
}
