#include <semaphore.h>
#include <assert.h>
sem_t s;
int main() { assert(sem_init(&s,0,2147483648u) == -1); return 0; }
