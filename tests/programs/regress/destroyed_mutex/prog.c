#include <pthread.h>
pthread_mutex_t l;
int main(){ pthread_mutex_init(&l,0); pthread_mutex_destroy(&l); pthread_mutex_lock(&l); return 0; }
