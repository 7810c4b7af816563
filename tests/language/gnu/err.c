/* <err.h>: messages, and the end of the program with a status. */
#include <err.h>
#include <errno.h>
#include <stdio.h>

int main(void)
{
    int length = 3;

    warnx("%d of %s", length, "them");
    errno = ENOENT;
    warn("%*d", length, 7);
    warn(NULL);
    printf("%d\n", errno == ENOENT);
    fflush(stdout);
    if (length == 3)
        errx(length + 2, "ends with %d", length + 2);
    printf("never\n");
    return 0;
}
