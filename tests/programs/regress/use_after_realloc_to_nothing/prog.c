/* The memory is gone. */
#include <stdlib.h>

int main(void)
{
    char *text = malloc(10);

    realloc(text, 0);
    return text[0];
}
