/* Comes before every program that is stepped through; see stepper.c.

   The program's code is in a section of its own. Threads are stepped through from when there is more
   than one, up to when the only one that is left prints. */

#include <pthread.h>
#include <stdio.h>

int step_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int step_join(pthread_t, void **);
void step_off(void);

#define pthread_create step_create
#define pthread_join step_join
#define printf(...) (step_off(), printf(__VA_ARGS__))

#pragma clang section text = "program"
