/* Files of any size with any contents, mapped and read to their end by two threads. */
#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int hits;
static int is_text(unsigned char *cp, int slen)
{
    while (slen > 0 && (isprint(*cp) || *cp == '\0' || *cp == '\t')) { --slen; ++cp; }
    return slen == 0;
}
static void *work(void *arg)
{
    struct stat sb;
    int fd = open(arg, O_RDONLY);
    if (fd < 0 || fstat(fd, &sb) < 0) return NULL;
    size_t len = sb.st_size;
    unsigned char *buf = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (buf == MAP_FAILED) return NULL;
    if (is_text(buf, len)) { pthread_mutex_lock(&m); hits++; pthread_mutex_unlock(&m); }
    munmap(buf, len);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, "x");
    pthread_create(&b, NULL, work, "y");
    pthread_join(a, NULL); pthread_join(b, NULL);
    return 0;
}
