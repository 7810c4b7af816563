/* %n stores how much has been printed so far. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int before, after;

    printf("abc%n def %d%n\n", &before, 5, &after);
    assert(before == 3 && after == 9);
    return 0;
}
