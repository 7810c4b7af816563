#include <pthread.h>
#include <assert.h>
struct S{int a,b;} src, dst;
void *w(void*p){ dst=src; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); src.a=1; src.b=1; pthread_join(t,0); assert(!(dst.a==0&&dst.b==1)); return 0; }
