#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
atomic_int flag; char buf[8]; char two[2];
void *w(void*a){ while(!flag) strcpy(buf,"ab"); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); return 0; }
