/* time stores what it returns. */
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t stored = -1, returned = time(&stored);

    assert(stored == returned && stored >= 0);
    return 0;
}
