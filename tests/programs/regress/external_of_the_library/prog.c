/* localtime_r is a function that imc does not know: what it stores is open. */
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t now = 0;
    struct tm parts = {.tm_year = 1};

    localtime_r(&now, &parts);
    assert(parts.tm_year == 1);
    return 0;
}
