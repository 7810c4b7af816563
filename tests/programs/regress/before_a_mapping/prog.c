/* Reads in front of a mapped file: an error in every schedule. */
#include <sys/mman.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <pthread.h>
static void *t(void *a) { return NULL; }
int main(void) {
    pthread_t x;
    pthread_create(&x, NULL, t, NULL);
    int fd = open("a", O_RDONLY);
    struct stat s;
    if (fd < 0 || fstat(fd, &s) < 0) return 0;
    long *p = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) return 0;
    long r = p[-4];
    pthread_join(x, NULL);
    return r == 17;
}
