/* %n stores how much has been read so far, and does not count as a conversion. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number, end;

    assert(sscanf("12 x", "%d%n", &number, &end) == 1);
    assert(number == 12 && end == 2);
    return 0;
}
