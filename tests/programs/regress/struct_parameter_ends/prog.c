#include <pthread.h>
#include <assert.h>
struct S{ long a[5]; }; struct S *g; int z;
void f(struct S s){ g=&s; z=1; g=0; }
void *w(void*a){ struct S *p=g; if(p) { long v=p->a[1]; (void)v; } return 0; }
int main(){ pthread_t t; struct S s={{1,2,3,4,5}}; pthread_create(&t,0,w,0); f(s); pthread_join(t,0); return 0; }
