#include <assert.h>
#include <stdint.h>
int a;
int main(){ if((uint32_t)(uintptr_t)&a==0) return 0; assert(0); }
