/* Just enough of the instructions of x86-64 to see which ones others may notice. */

#ifndef DECODE_H
#define DECODE_H

/* Whether an instruction calls the system. */
int is_call(const unsigned char *code);

/* Whether it reads or writes memory that is not, by its address, the thread's own stack. */
int touches(const unsigned char *code);

#endif
