/* Everything that one caller's work hangs on. */
#ifndef IMC_CONTEXT_H
#define IMC_CONTEXT_H

#include "machine.h"

struct search;

struct core {
    form f;
    machine m;
    budget b;
    struct search *s; /* the search that runs or has run */
};

#endif
