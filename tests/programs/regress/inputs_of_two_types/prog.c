/* The second input is a bool on one path and an int on another. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    while (__VERIFIER_nondet_bool()) ;
    int x = __VERIFIER_nondet_int();
    assert(x <= 1);
    return 0;
}
