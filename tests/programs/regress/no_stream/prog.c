/* No stream is not the standard output. */
#include <stdio.h>

int main(void)
{
    FILE *stream = 0;

    fputs("text", stream);
    return 0;
}
