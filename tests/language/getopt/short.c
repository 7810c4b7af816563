#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void parse(int argc, char **argv, const char *wanted)
{
    int c;

    optind = 0;
    while ((c = getopt(argc, argv, wanted)) != -1) {
        printf("%d (%c) optind %d optopt %c", c, c > 1 ? c : '.', optind, optopt ? optopt : '0');
        printf(" arg %s\n", optarg ? optarg : "none");
    }
    printf("end %d:", optind);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

#define PARSE(wanted, ...)                                                                         \
    do {                                                                                           \
        char *words[] = {"prog", __VA_ARGS__, NULL};                                               \
        parse(sizeof words / sizeof *words - 1, words, wanted);                                    \
    } while (0)

int main(void)
{
    PARSE("ab:c::", "-a", "-b", "x", "plain", "-cy", "-c", "z");
    PARSE("ab:c::", "one", "-ab", "two", "three", "-a", "--", "-a", "four");
    PARSE("+ab:", "-a", "one", "-b", "two");
    PARSE("-ab:", "-a", "one", "-b", "two", "-");
    PARSE(":ab:", "-x", "-b");
    PARSE("ab:", "-x", "-ax", "-b");
    PARSE("ab:", "-", "-a", "-", "--", "--", "-b");
    PARSE("n:", "-n4", "-n", "5", "-n", "-n");
    opterr = 0;
    PARSE("n:", "-q", "-n");
    return 0;
}
