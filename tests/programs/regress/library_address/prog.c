#include <pthread.h>
#include <stdlib.h>
#include <string.h>
void *w(void *(*f)(size_t)) { return f(4); }
int main(void) { return w(malloc) == 0; }
