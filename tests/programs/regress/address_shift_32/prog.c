#include <assert.h>
#include <stdint.h>
int a;
int main(){ if(((uintptr_t)&a>>4)==0) return 0; assert(0); }
