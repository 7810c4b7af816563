#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = malloc(4); int i = *p; assert(*p == i); return 0; }
