/* Lines of standard input, of a file, and by character. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL, rest[3];
    size_t room = 0;

    assert(getline(&line, &room, stdin) == 6 && !strcmp(line, "first\n") && room >= 7);
    assert(getc(stdin) == 's' && fgets(rest, 3, stdin) && !strcmp(rest, "ec"));
    assert(getline(&line, &room, stdin) == 3 && !strcmp(line, "ond"));
    assert(getline(&line, &room, stdin) == -1 && getc(stdin) == EOF);
    FILE *file = fopen("file", "r");
    if (!file)
        return 1;
    if (getline(&line, &room, file) > 0)
        assert(strlen(line) <= 4);
    if (fgets(rest, 3, file))
        assert(strlen(rest) <= 2);
    assert(fgetc(file) < 256);
    free(line);
    fclose(file);
    return 0;
}
