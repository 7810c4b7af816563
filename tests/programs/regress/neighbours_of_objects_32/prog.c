/* What lies behind a synchronisation object stays as it is, whatever is done to the object. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static struct {
    pthread_mutex_t mutex; int a;
    pthread_cond_t cond; int b;
    pthread_rwlock_t rwlock; int c;
    sem_t sem; int d;
    pthread_spinlock_t spin; int e;
    pthread_attr_t attr; int f;
    pthread_mutexattr_t kind; int g;
    pthread_key_t key; int h;
} s = {.a = 1, .b = 1, .c = 1, .d = 1, .e = 1, .f = 1, .g = 1, .h = 1};

int main(void)
{
    pthread_mutexattr_init(&s.kind);
    pthread_mutexattr_settype(&s.kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&s.mutex, &s.kind);
    pthread_cond_init(&s.cond, 0);
    pthread_rwlock_init(&s.rwlock, 0);
    sem_init(&s.sem, 0, 1);
    pthread_spin_init(&s.spin, 0);
    pthread_attr_init(&s.attr);
    pthread_attr_setdetachstate(&s.attr, PTHREAD_CREATE_DETACHED);
    pthread_key_create(&s.key, 0);
    pthread_mutex_lock(&s.mutex);
    pthread_mutex_lock(&s.mutex);
    pthread_cond_broadcast(&s.cond);
    pthread_rwlock_rdlock(&s.rwlock);
    sem_post(&s.sem);
    pthread_spin_lock(&s.spin);
    assert(s.a + s.b + s.c + s.d + s.e + s.f + s.g + s.h == 8);
    return 0;
}
