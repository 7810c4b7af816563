/* What was closed cannot be flushed any more. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("log", "w");

    if (!file)
        return 0;
    fclose(file);
    fflush(file);
    return 0;
}
