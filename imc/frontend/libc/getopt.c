/* <getopt.h>: options among the arguments, as the GNU C library finds them. POSIXLY_CORRECT is
 * taken not to be set; `__posix_getopt` is what strict programs get. */
#include <stddef.h>

extern int fprintf(void *stream, const char *format, ...);
extern int strcmp(const char *a, const char *b);
extern int strncmp(const char *a, const char *b, size_t n);
extern size_t strlen(const char *text);
extern char *strchr(const char *text, int c);
extern void *stderr;

struct option {
    const char *name;
    int has_arg; /* 0: none, 1: required, 2: optional */
    int *flag;
    int val;
};

enum order { PERMUTE, STRICT, IN_ORDER };

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static char *rest;                  /* of an argument with several short options */
static int first_plain, last_plain; /* arguments that were passed over, moved behind the options */
static int is_begun;
static enum order order;
static int wrong; /* the last option that was, which every call tells */

/* Moves the arguments that were passed over behind the options that came after them. */
static void exchange(char **argv)
{
    int middle = last_plain;

    for (int moved = 0; moved < optind - middle; moved++) {
        char *option = argv[middle + moved];

        for (int i = middle + moved; i > first_plain + moved; i--)
            argv[i] = argv[i - 1];
        argv[first_plain + moved] = option;
    }
    first_plain += optind - middle;
    last_plain = optind;
}

static void begin(const char *wanted, int strict)
{
    if (optind == 0)
        optind = 1;
    first_plain = last_plain = optind;
    rest = NULL;
    order = *wanted == '-' ? IN_ORDER : *wanted == '+' || strict ? STRICT : PERMUTE;
    is_begun = 1;
}

static int is_plain(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0';
}

/* A long option; -1 if it is none and may be a short one. */
static int long_option(int argc, char **argv, int silent, const char *wanted,
                       const struct option *options, int *index, int only, const char *prefix)
{
    const struct option *found = NULL;
    int count = 0, nth = -1, exact = 0;
    size_t length = 0;

    while (rest[length] && rest[length] != '=')
        length++;
    for (int i = 0; options[i].name && !exact; i++) {
        if (strncmp(options[i].name, rest, length))
            continue;
        exact = strlen(options[i].name) == length;
        if (exact || !found) {
            found = &options[i];
            nth = i;
            count = 1;
        } else if (only || found->has_arg != options[i].has_arg ||
                   found->flag != options[i].flag || found->val != options[i].val) {
            count++;
        }
    }
    if (!exact && count > 1) {
        if (!silent) {
            fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv[0], prefix, rest);
            for (int i = 0; options[i].name; i++)
                if (!strncmp(options[i].name, rest, length))
                    fprintf(stderr, " '%s%s'", prefix, options[i].name);
            fprintf(stderr, "\n");
        }
        rest += strlen(rest);
        optind++;
        wrong = 0;
        return '?';
    }
    if (!found) {
        if (only && argv[optind][1] != '-' && strchr(wanted, *rest))
            return -1;
        if (!silent)
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix, rest);
        rest = NULL;
        optind++;
        wrong = 0;
        return '?';
    }
    optind++;
    char *value = rest[length] ? rest + length + 1 : NULL;
    rest = NULL;
    if (value && !found->has_arg) {
        if (!silent)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], prefix,
                    found->name);
        wrong = found->val;
        return '?';
    }
    if (value) {
        optarg = value;
    } else if (found->has_arg == 1) {
        if (optind >= argc) {
            if (!silent)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], prefix,
                        found->name);
            wrong = found->val;
            return *wanted == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index)
        *index = nth;
    if (found->flag) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

/* Goes to the next argument that has options; 0 if there is one, -1 at the end, 1: it has none. */
static int advance(int argc, char **argv)
{
    if (last_plain > optind)
        last_plain = optind;
    if (first_plain > optind)
        first_plain = optind;
    if (order == PERMUTE) {
        if (first_plain != last_plain && last_plain != optind)
            exchange(argv);
        else if (last_plain != optind)
            first_plain = optind;
        while (optind < argc && is_plain(argv[optind]))
            optind++;
        last_plain = optind;
    }
    if (optind != argc && !strcmp(argv[optind], "--")) {
        optind++;
        if (first_plain != last_plain && last_plain != optind)
            exchange(argv);
        else if (first_plain == last_plain)
            first_plain = optind;
        last_plain = argc;
        optind = argc;
    }
    if (optind == argc) {
        if (first_plain != last_plain)
            optind = first_plain;
        return -1;
    }
    return is_plain(argv[optind]);
}

static int short_option(int argc, char **argv, int silent, const char *wanted,
                        const struct option *options, int *index)
{
    char c = *rest++;
    const char *known = strchr(wanted, c);

    if (*rest == '\0')
        optind++;
    if (!known || c == ':' || c == ';') {
        if (!silent)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        wrong = c;
        return '?';
    }
    if (known[1] != ':' && !(known[0] == 'W' && known[1] == ';' && options))
        return c;
    int is_long = known[1] == ';', is_optional = !is_long && known[2] == ':';
    if (*rest) {
        optarg = rest;
        if (!is_long)
            optind++;
    } else if (is_optional) {
        optarg = NULL;
    } else if (optind == argc) {
        if (!silent)
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
        wrong = c;
        return *wanted == ':' ? ':' : '?';
    } else {
        optarg = is_long ? argv[optind] : argv[optind++];
    }
    if (is_long) {
        rest = optarg;
        optarg = NULL;
        return long_option(argc, argv, silent, wanted, options, index, 0, "-W ");
    }
    rest = NULL;
    return c;
}

static int parsed(int argc, char **argv, const char *wanted, const struct option *options,
                  int *index, int only, int strict)
{
    if (argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !is_begun)
        begin(wanted, strict);
    if (*wanted == '-' || *wanted == '+')
        wanted++;
    int silent = !opterr || *wanted == ':';

    if (!rest || !*rest) {
        switch (advance(argc, argv)) {
        case -1:
            return -1;
        case 1:
            if (order == STRICT)
                return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (options && argv[optind][1] == '-') {
            rest = argv[optind] + 2;
            return long_option(argc, argv, silent, wanted, options, index, only, "--");
        }
        rest = argv[optind] + 1;
        if (options && only && (argv[optind][2] || !strchr(wanted, argv[optind][1]))) {
            int found = long_option(argc, argv, silent, wanted, options, index, only, "-");

            if (found != -1)
                return found;
        }
    }
    return short_option(argc, argv, silent, wanted, options, index);
}

static int next_option(int argc, char **argv, const char *wanted, const struct option *options,
                       int *index, int only, int strict)
{
    int found = parsed(argc, argv, wanted, options, index, only, strict);

    optopt = wrong;
    return found;
}

int getopt(int argc, char **argv, const char *wanted)
{
    return next_option(argc, argv, wanted, NULL, NULL, 0, 0);
}

int __posix_getopt(int argc, char **argv, const char *wanted)
{
    return next_option(argc, argv, wanted, NULL, NULL, 0, 1);
}

int getopt_long(int argc, char **argv, const char *wanted, const struct option *options,
                int *index)
{
    return next_option(argc, argv, wanted, options, index, 0, 0);
}

int getopt_long_only(int argc, char **argv, const char *wanted, const struct option *options,
                     int *index)
{
    return next_option(argc, argv, wanted, options, index, 1, 0);
}
