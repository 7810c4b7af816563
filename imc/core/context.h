/* Everything that one caller's work hangs on. */
#ifndef IMC_CONTEXT_H
#define IMC_CONTEXT_H

#include "keys.h"
#include "machine.h"

struct search;

struct core {
    form f;
    machine m;
    budget b;
    keys k;           /* of states that somebody asks for one by one */
    struct search *s; /* the search that runs or has run */
};

#endif
