/* There is nothing to close. */
#include <stdio.h>

int main(void)
{
    fclose(NULL);
    return 0;
}
