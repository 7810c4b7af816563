#include "search.h"
void explore(search *s) { search_end(s, CORE_REFUSED); }
