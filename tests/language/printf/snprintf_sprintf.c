/* sprintf and snprintf: results, truncation and appending. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[64], tiny[6];
    int n = sprintf(buf, "%d-%s-%c", 7, "seven", '7');
    printf("%s %d\n", buf, n);
    n += sprintf(buf + n, "/%05.1f", 2.25);
    printf("%s %d\n", buf, n);
    volatile size_t limit = sizeof tiny;
    int need = snprintf(tiny, limit, "%s", "overflowing");
    printf("%s %d %zu\n", tiny, need, strlen(tiny));
    limit = 1;
    need = snprintf(tiny, limit, "%d", 12345);
    printf("'%s' %d\n", tiny, need);
    need = snprintf(NULL, 0, "%x %x", 255u, 4096u);
    printf("%d\n", need);
    size_t used = 0;
    for (int i = 0; i < 5; i++)
        used += (size_t)snprintf(buf + used, sizeof buf - used, "%d,", i * i * i);
    buf[used - 1] = '\0';
    puts(buf);
    return (int)used + need;
}
