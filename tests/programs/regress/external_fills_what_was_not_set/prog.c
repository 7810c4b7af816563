/* Memory that was handed out to be filled is no longer uninitialised, and what is in it is open. */
#include <assert.h>

struct parts { int year, day; };
extern void split(long, struct parts *);

int main(void)
{
    struct parts parts;
    int positive = 0;

    split(0, &parts);
    if (parts.year > 0)
        positive = 1;
    assert(positive == 0 || positive == 1);
    return 0;
}
