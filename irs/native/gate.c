/* The gates, to be inlined into the program: compiled to bitcode and linked before optimisation. */
#include "irs.h"

__attribute__((always_inline)) void irs_enter(uint32_t site)
{
    irs_pass(irs_self, site);
}

__attribute__((always_inline)) void irs_leave(void)
{
    irs_done(irs_self);
}

/* Counts an operation, if somebody wants to know how often it is executed. */
__attribute__((always_inline)) void irs_executed(uint32_t counter)
{
    irs_self->executed[counter]++;
}
