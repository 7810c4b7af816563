/* Long options, one of which sets a flag. */
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int fast;

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"fast", no_argument, &fast, 1},
        {"size", required_argument, NULL, 's'},
        {NULL, 0, NULL, 0},
    };
    int option, size = 1;

    while ((option = getopt_long(argc, argv, "s:", options, NULL)) != -1)
        if (option == 's')
            size = atoi(optarg);
        else if (option != 0)
            exit(2);
    assert(optind == argc - 1 && !strcmp(argv[optind], "file"));
    assert(fast && size == 7);
    return 0;
}
