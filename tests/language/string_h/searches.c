/* strchr, strrchr, strstr, memchr, strspn, strcspn and strpbrk. */
#include <stdio.h>
#include <string.h>

static int at(const char *base, const char *p) { return p ? (int)(p - base) : -1; }

int main(void)
{
    const char *s = "path/to/some/file.txt";
    printf("%d %d %d\n", at(s, strchr(s, '/')), at(s, strrchr(s, '/')), at(s, strchr(s, '!')));
    printf("%d %d\n", at(s, strchr(s, '\0')), at(s, strrchr(s, '\0')));
    printf("%d %d %d\n", at(s, strstr(s, "some")), at(s, strstr(s, "")), at(s, strstr(s, "x.t")));
    printf("%d %d\n", at(s, memchr(s, 't', 21)), at(s, memchr(s, 'f', 10)));
    printf("%zu %zu\n", strspn(s, "hapt"), strcspn(s, "./"));
    printf("%d %d\n", at(s, strpbrk(s, "xyz.")), at(s, strpbrk(s, "#")));
    const char *ext = strrchr(s, '.');
    puts(ext + 1);
    int slashes = 0;
    for (const char *p = s; (p = strchr(p, '/')); p++)
        slashes++;
    printf("%d\n", slashes);
    return at(s, ext) + slashes;
}
