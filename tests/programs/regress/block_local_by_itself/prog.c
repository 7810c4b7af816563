#include <assert.h>
int main(void) {
    int *p;
    { int x = 1; p = &x; }
    { int y = 2; assert(*p == 1); }
    return 0;
}
