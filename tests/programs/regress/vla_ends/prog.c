#include <pthread.h>
int *g; int z; int n=2;
void *w(void*a){ int*p=g; if(p){ int v=*p; (void)v;} return 0; }
int main(){ pthread_t t; { int v[n]; v[0]=1; v[1]=2; g=v; pthread_create(&t,0,w,0); g=0; } z=1; pthread_join(t,0); return 0; }
