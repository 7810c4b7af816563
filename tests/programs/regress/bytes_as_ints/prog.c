#include <pthread.h>
#include <assert.h>
unsigned char buf[sizeof(int*)];
int get(unsigned char*p){ return *p; }
void *w(void*a){ int *q; unsigned char*d=(unsigned char*)&q; for(int i=0;i<(int)sizeof q;i++) d[i]=(unsigned char)get(buf+i); *q=1; *q=2; return 0; }
int main(){ int x=0; int*p=&x; pthread_t t; unsigned char*s=(unsigned char*)&p; for(int i=0;i<(int)sizeof p;i++) { int c=s[i]; buf[i]=c; } pthread_create(&t,0,w,0); assert(x!=1); pthread_join(t,0); return 0; }
