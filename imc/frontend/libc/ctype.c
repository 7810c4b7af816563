/* <ctype.h> in the C locale, with the tables that glibc's macros look up: one entry for each of
 * -128 ... 255, so that EOF and a negative char may be asked for as well. */

enum {
    BELOW_ZERO = 128,
    ENTRIES = BELOW_ZERO + 256,
};

/* The bits as <ctype.h> of glibc numbers them on a little-endian machine. */
enum {
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    ALPHA = 1 << 10,
    DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    PUNCT = 1 << 2,
    ALNUM = 1 << 3,
};

/* The kinds of character that the C locale has. */
#define C CNTRL
#define T (CNTRL | SPACE | BLANK) /* a tab */
#define S (CNTRL | SPACE)         /* a newline and the like */
#define B (SPACE | BLANK | PRINT) /* the space */
#define P (PRINT | GRAPH | PUNCT)
#define D (PRINT | GRAPH | ALNUM | DIGIT | XDIGIT)
#define U (PRINT | GRAPH | ALNUM | ALPHA | UPPER)
#define L (PRINT | GRAPH | ALNUM | ALPHA | LOWER)
#define HU (U | XDIGIT)
#define HL (L | XDIGIT)

static const unsigned short classes[ENTRIES] = {
    [BELOW_ZERO] =
    C, C,  C,  C,  C,  C,  C,  C, C, T, S, S, S, S, C, C,
    C, C,  C,  C,  C,  C,  C,  C, C, C, C, C, C, C, C, C,
    B, P,  P,  P,  P,  P,  P,  P, P, P, P, P, P, P, P, P,
    D, D,  D,  D,  D,  D,  D,  D, D, D, P, P, P, P, P, P,
    P, HU, HU, HU, HU, HU, HU, U, U, U, U, U, U, U, U, U,
    U, U,  U,  U,  U,  U,  U,  U, U, U, U, P, P, P, P, P,
    P, HL, HL, HL, HL, HL, HL, L, L, L, L, L, L, L, L, L,
    L, L,  L,  L,  L,  L,  L,  L, L, L, L, P, P, P, P, C,
};

/* So many characters, from c on. */
#define RUN5(c) (c), (c) + 1, (c) + 2, (c) + 3, (c) + 4
#define RUN10(c) RUN5(c), RUN5((c) + 5)
#define RUN26(c) RUN10(c), RUN10((c) + 10), RUN5((c) + 20), (c) + 25
#define RUN32(c) RUN26(c), RUN5((c) + 26), (c) + 31
#define RUN64(c) RUN32(c), RUN32((c) + 32)
#define RUN128(c) RUN64(c), RUN64((c) + 64)

/* A negative char stands for the same byte as an unsigned one; -1 is EOF and stays. */
#define NEGATIVE RUN64(128), RUN32(192), RUN26(224), RUN5(250), -1

static const int uppers[ENTRIES] = {
    NEGATIVE, RUN64(0), '@', RUN26('A'), RUN5('['), '`', RUN26('A'), RUN5('{'), RUN128(128),
};

static const int lowers[ENTRIES] = {
    NEGATIVE, RUN64(0), '@', RUN26('a'), RUN5('['), '`', RUN26('a'), RUN5('{'), RUN128(128),
};

static const unsigned short *const classes_at_zero = classes + BELOW_ZERO;
static const int *const uppers_at_zero = uppers + BELOW_ZERO;
static const int *const lowers_at_zero = lowers + BELOW_ZERO;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&classes_at_zero;
}

const int **__ctype_toupper_loc(void)
{
    return (const int **)&uppers_at_zero;
}

const int **__ctype_tolower_loc(void)
{
    return (const int **)&lowers_at_zero;
}

int isalnum(int c) { return classes[c + BELOW_ZERO] & ALNUM; }
int isalpha(int c) { return classes[c + BELOW_ZERO] & ALPHA; }
int isblank(int c) { return classes[c + BELOW_ZERO] & BLANK; }
int iscntrl(int c) { return classes[c + BELOW_ZERO] & CNTRL; }
int isdigit(int c) { return classes[c + BELOW_ZERO] & DIGIT; }
int isgraph(int c) { return classes[c + BELOW_ZERO] & GRAPH; }
int islower(int c) { return classes[c + BELOW_ZERO] & LOWER; }
int isprint(int c) { return classes[c + BELOW_ZERO] & PRINT; }
int ispunct(int c) { return classes[c + BELOW_ZERO] & PUNCT; }
int isspace(int c) { return classes[c + BELOW_ZERO] & SPACE; }
int isupper(int c) { return classes[c + BELOW_ZERO] & UPPER; }
int isxdigit(int c) { return classes[c + BELOW_ZERO] & XDIGIT; }

int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

int toupper(int c)
{
    return c >= -BELOW_ZERO && c < 256 ? uppers[c + BELOW_ZERO] : c;
}

int tolower(int c)
{
    return c >= -BELOW_ZERO && c < 256 ? lowers[c + BELOW_ZERO] : c;
}
