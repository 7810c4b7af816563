/* <signal.h>: sets of signals, of which the system knows 64. */
#include <stddef.h>

extern void *memset(void *to, int byte, size_t n);
extern int *__errno_location(void);

enum { SIGNALS = 64, EINVAL = 22, BYTES = 128 };

typedef unsigned long long word;

/* The bit of a signal; 0, and errno, if there is no such one. */
static word bit(int number)
{
    if (number >= 1 && number <= SIGNALS)
        return 1ull << (number - 1);
    *__errno_location() = EINVAL;
    return 0;
}

int sigemptyset(word *set)
{
    memset(set, 0, BYTES);
    return 0;
}

int sigfillset(word *set)
{
    memset(set, 255, BYTES);
    set[0] = ~(3ull << 31); /* two are the library's own */
    return 0;
}

int sigaddset(word *set, int number)
{
    word added = bit(number);

    if (!added)
        return -1;
    *set |= added;
    return 0;
}

int sigdelset(word *set, int number)
{
    word removed = bit(number);

    if (!removed)
        return -1;
    *set &= ~removed;
    return 0;
}

int sigismember(const word *set, int number)
{
    word asked = bit(number);

    return asked ? (*set & asked) != 0 : -1;
}

int sigisemptyset(const word *set)
{
    return *set == 0;
}

int sigandset(word *to, const word *a, const word *b)
{
    *to = *a & *b;
    return 0;
}

int sigorset(word *to, const word *a, const word *b)
{
    *to = *a | *b;
    return 0;
}
