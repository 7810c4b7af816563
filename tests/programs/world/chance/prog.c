/* Random numbers of all sorts. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned short state[3] = {1, 2, 3};
    unsigned seed = 1;
    int dice[3] = {0};

    srandom(1);
    assert(random() >= 0 && lrand48() >= 0 && nrand48(state) >= 0);
    dice[random() % 3]++;
    assert(dice[0] + dice[1] + dice[2] == 1);
    assert(rand_r(&seed) == 476707713);
#ifdef LUCKY
    assert(mrand48() >= 0);
#endif
    return 0;
}
