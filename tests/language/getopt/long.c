#include <getopt.h>
#include <stdio.h>

static int flag;

static void parse(int argc, char **argv, int only)
{
    static const struct option options[] = {
        {"verbose", no_argument, &flag, 7},   {"threads", required_argument, NULL, 't'},
        {"thread", optional_argument, 0, 'u'}, {"color", optional_argument, NULL, 256},
        {"colour", optional_argument, NULL, 256}, {"quiet", no_argument, NULL, 'q'},
        {"query", no_argument, NULL, 'Q'},    {0, 0, 0, 0},
    };
    int c, index = -1;

    optind = 0;
    flag = 0;
    while ((c = (only ? getopt_long_only : getopt_long)(argc, argv, "t:qW;", options, &index)) !=
           -1) {
        printf("%d index %d optind %d optopt %d flag %d arg %s\n", c, index, optind, optopt, flag,
               optarg ? optarg : "none");
        index = -1;
    }
    printf("end %d:", optind);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

#define PARSE(only, ...)                                                                           \
    do {                                                                                           \
        char *words[] = {"prog", __VA_ARGS__, NULL};                                               \
        parse(sizeof words / sizeof *words - 1, words, only);                                      \
    } while (0)

int main(void)
{
    PARSE(0, "--verbose", "file", "--threads=4", "--threads", "5", "-t6", "more");
    PARSE(0, "--thread", "--thread=2", "--col", "--colo=x", "--verb");
    PARSE(0, "--qu", "--qui", "--nothing", "--verbose=1", "--threads");
    PARSE(0, "-q", "-t", "1", "a", "--", "--quiet");
    PARSE(1, "-quiet", "-q", "-verbose", "-threads", "3", "-x", "-t9");
    PARSE(0, "-W", "threads=3", "-Wverbose", "end");
    return 0;
}
