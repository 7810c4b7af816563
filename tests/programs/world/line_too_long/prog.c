/* A line of the file may have more bytes than the buffer has. */
#include <stdio.h>

int main(void)
{
    char line[16];
    FILE *file = fopen("log", "r");

    if (!file)
        return 0;
    if (fgets(line, 256, file))
        puts(line);
    fclose(file);
    return 0;
}
