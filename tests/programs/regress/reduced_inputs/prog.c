#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(){ unsigned char c=__VERIFIER_nondet_uchar(); assert(c!=200); return 0; }
