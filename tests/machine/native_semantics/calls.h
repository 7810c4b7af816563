/* The system's calls that a thread makes while it is stepped through. */

#ifndef CALLS_H
#define CALLS_H

#include <ucontext.h>

/* Does what a thread's call asks for, or sees to it that the system will. */
void perform(int me, ucontext_t *u);

#endif
