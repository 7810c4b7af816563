/* time(0) stores nothing, and that is no error. */
#include <assert.h>
#include <time.h>

int main(void)
{
    assert(time(0) >= 0);
    return 0;
}
