/* atoi, atol, strtol, strtoul and strtod in several bases. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("+8"), atoi("none"));
    printf("%ld\n", atol("-9000000000"));
    char *end;
    long v = strtol("0x1fz", &end, 0);
    printf("%ld '%s'\n", v, end);
    printf("%ld %ld %ld\n", strtol("077", NULL, 0), strtol("1012", NULL, 2), strtol("-zz", NULL, 36));
    printf("%lu %lu\n", strtoul("4294967295", NULL, 10), strtoul("-1", NULL, 10));
    errno = 0;
    long big = strtol("9223372036854775808", &end, 10);
    printf("%d %d %d\n", big == LONG_MAX, errno == ERANGE, *end == '\0');
    const char *bad = "  q";
    strtol(bad, &end, 10);
    printf("%d\n", end == bad);
    printf("%.3f %g\n", strtod("3.125e1xyz", &end), atof("-.5"));
    puts(end);
    return (int)v + atoi("77");
}
