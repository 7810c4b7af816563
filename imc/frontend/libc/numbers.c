/* <stdlib.h>: the conversion of text to numbers. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

extern int *__errno_location(void);

enum {
    EINVAL = 22,
    ERANGE = 34,
};

/* ------------------------------------------------------------------ text to integers */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* 36, more than any digit, for what is none. */
static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

struct integer {
    unsigned long long magnitude;
    int negative;
    int out_of_range;
};

/* Reads an integer whose magnitude is at most `most_positive` or, after a minus sign,
 * `most_negative`. */
static struct integer parse_integer(const char *text, char **end, int base,
                                    unsigned long long most_positive,
                                    unsigned long long most_negative)
{
    struct integer result = {0, 0, 0};
    const char *p = text;

    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return result;
    }
    while (is_space(*p))
        p++;
    if (*p == '-' || *p == '+')
        result.negative = *p++ == '-';
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
        digit_value(p[2]) < 16) {
        p += 2;
        base = 16;
    }
    if (base == 0)
        base = *p == '0' ? 8 : 10;
    if (digit_value(*p) >= base) {
        if (end)
            *end = (char *)text;
        return result;
    }

    unsigned long long limit = result.negative ? most_negative : most_positive;
    unsigned long long last = limit / (unsigned)base;
    for (int digit; (digit = digit_value(*p)) < base; p++) {
        if (result.magnitude > last ||
            result.magnitude * (unsigned)base > limit - (unsigned)digit)
            result.out_of_range = 1;
        else
            result.magnitude = result.magnitude * (unsigned)base + (unsigned)digit;
    }
    if (result.out_of_range) {
        result.magnitude = limit;
        *__errno_location() = ERANGE;
    }
    if (end)
        *end = (char *)p;
    return result;
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    struct integer n = parse_integer(text, end, base, LLONG_MAX, LLONG_MAX + 1ULL);

    return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    struct integer n = parse_integer(text, end, base, LONG_MAX, LONG_MAX + 1ULL);

    return (long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    struct integer n = parse_integer(text, end, base, ULLONG_MAX, ULLONG_MAX);

    return n.negative && !n.out_of_range ? 0 - n.magnitude : n.magnitude;
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    struct integer n = parse_integer(text, end, base, ULONG_MAX, ULONG_MAX);

    return (unsigned long)(n.negative && !n.out_of_range ? 0 - n.magnitude : n.magnitude);
}

int atoi(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

long atol(const char *text)
{
    return strtol(text, NULL, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, NULL, 10);
}

/* ------------------------------------------------------------------ text to floats
 *
 * The digits become one natural number, which is scaled by the power of ten exactly; only the
 * last step rounds. So the result is the nearest double (for numbers of more than MAX_DIGITS
 * digits: unless the rest of them is needed to tell which is the nearest).
 */

enum {
    MAX_DIGITS = 100,
    MAX_EXPONENT = 310,                /* of ten: even the digit 1 makes this infinite */
    MIN_EXPONENT = -330 - MAX_DIGITS,  /* of ten: however many digits, this is zero */
    MANTISSA_BITS = 53,
    LOWEST_BIT = -1074,
    LIMBS = 64,  /* for MAX_DIGITS digits with any exponent between the two */
};

/* A natural number in base 2^32, lowest limb first; unused limbs are 0. */
struct natural {
    int used;
    uint32_t limbs[LIMBS];
};

static void multiply_add(struct natural *n, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;

    for (int i = 0; i < n->used; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->limbs[n->used++] = (uint32_t)carry;
}

/* Divides in place; returns whether a remainder was lost. */
static int divide(struct natural *n, uint32_t divisor)
{
    uint64_t rest = 0;

    for (int i = n->used - 1; i >= 0; i--) {
        rest = rest << 32 | n->limbs[i];
        n->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->used > 0 && n->limbs[n->used - 1] == 0)
        n->used--;
    return rest != 0;
}

static void shift_limbs(struct natural *n, int count)
{
    for (int i = n->used - 1; i >= 0; i--)
        n->limbs[i + count] = n->limbs[i];
    for (int i = 0; i < count; i++)
        n->limbs[i] = 0;
    n->used += count;
}

static int bit_length(const struct natural *n)
{
    int bits = (n->used - 1) * 32;

    for (uint32_t top = n->limbs[n->used - 1]; top; top >>= 1)
        bits++;
    return bits;
}

/* `n` * 2^`exponent`, plus a little if `inexact`, as the nearest double. Spoils `n`. */
static double nearest_double(struct natural *n, int exponent, int inexact)
{
    int lowest = bit_length(n) + exponent - MANTISSA_BITS;
    int half = 0;

    if (lowest < LOWEST_BIT)
        lowest = LOWEST_BIT;
    if (exponent < lowest) {
        for (int drop = lowest - 1 - exponent; drop > 0; drop -= 31)
            inexact |= divide(n, (uint32_t)1 << (drop < 31 ? drop : 31));
        half = divide(n, 2);
        exponent = lowest;
    }

    uint64_t mantissa = (uint64_t)n->limbs[1] << 32 | n->limbs[0];
    if (half && (inexact || mantissa % 2 == 1))
        mantissa++;
    double result = (double)mantissa;
    for (; exponent >= 32; exponent -= 32)
        result *= 0x1p32;
    for (; exponent > 0; exponent--)
        result *= 2;
    for (; exponent <= -32; exponent += 32)
        result *= 0x1p-32;
    for (; exponent < 0; exponent++)
        result *= 0.5;
    if (result > 0x1.fffffffffffffp1023 || (result < 0x1p-1022 && (half || inexact)))
        *__errno_location() = ERANGE;
    return result;
}

/* Reads digits with at most one point among them; returns their end, or NULL if there are none.
 * The number read is `n` * `base`^`exponent`. */
static const char *parse_digits(const char *p, int base, struct natural *n, int *exponent)
{
    int any = 0, kept = 0, point = 0, lost = 0;

    for (;; p++) {
        int digit = digit_value(*p);

        if (*p == '.' && !point) {
            point = 1;
        } else if (digit >= base) {
            break;
        } else {
            any = 1;
            if (kept < MAX_DIGITS) {
                multiply_add(n, (uint32_t)base, (uint32_t)digit);
                kept += n->used > 0;
                *exponent -= point;
            } else {
                lost |= digit;
                *exponent += !point;
            }
        }
    }
    if (lost) {
        multiply_add(n, (uint32_t)base, 1);
        *exponent -= 1;
    }
    return any ? p : NULL;
}

/* Reads an exponent, if there is one, and adds it to `exponent`; returns its end. */
static const char *parse_exponent(const char *text, char mark, int *exponent)
{
    const char *p = text;
    int value = 0, negative = 0;

    if (*p != mark && *p != mark - 'a' + 'A')
        return text;
    p++;
    if (*p == '-' || *p == '+')
        negative = *p++ == '-';
    if (digit_value(*p) >= 10)
        return text;
    for (; digit_value(*p) < 10; p++)
        if (value < 1000000)
            value = value * 10 + digit_value(*p);
    *exponent += negative ? -value : value;
    return p;
}

/* If `text` begins with `word`, in whatever case, the end of it, otherwise NULL. */
static const char *skip_word(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (digit_value(*text) != digit_value(*word))
            return NULL;
    return text;
}

/* The end of "(letters and digits)", which may follow "nan". */
static const char *skip_payload(const char *text)
{
    const char *p = text;

    if (*p++ != '(')
        return text;
    while (digit_value(*p) < 36 || *p == '_')
        p++;
    return *p == ')' ? p + 1 : text;
}

static double out_of_range(double result)
{
    *__errno_location() = ERANGE;
    return result;
}

static double from_decimal(struct natural *n, int exponent)
{
    int shifted = 0, inexact = 0;

    if (exponent > MAX_EXPONENT)
        return out_of_range(__builtin_inf());
    if (exponent < MIN_EXPONENT)
        return out_of_range(0);
    for (; exponent >= 9; exponent -= 9)
        multiply_add(n, 1000000000, 0);
    for (; exponent > 0; exponent--)
        multiply_add(n, 10, 0);
    if (exponent < 0) {
        /* The divisor has fewer than 10/3 bits per digit: 64 or more are left to the quotient. */
        shifted = 3 + -exponent * 10 / 3 / 32;
        shift_limbs(n, shifted);
    }
    for (; exponent <= -9; exponent += 9)
        inexact |= divide(n, 1000000000);
    for (; exponent < 0; exponent++)
        inexact |= divide(n, 10);
    return nearest_double(n, -32 * shifted, inexact);
}

static double from_binary(struct natural *n, int exponent)
{
    if (exponent > 1024)
        return out_of_range(__builtin_inf());
    if (exponent + bit_length(n) < LOWEST_BIT)
        return out_of_range(0);
    return nearest_double(n, exponent, 0);
}

/* Reads a number without its sign; returns its end, or NULL if there is none. */
static const char *parse_float(const char *p, double *result)
{
    struct natural n = {0};
    int exponent = 0;
    const char *end;

    *result = 0;
    if ((end = skip_word(p, "inf"))) {
        *result = __builtin_inf();
        p = skip_word(end, "inity");
        return p ? p : end;
    }
    if ((end = skip_word(p, "nan"))) {
        *result = __builtin_nan("");
        return skip_payload(end);
    }
    if ((end = skip_word(p, "0x")) && (end = parse_digits(end, 16, &n, &exponent))) {
        exponent *= 4;
        end = parse_exponent(end, 'p', &exponent);
        if (n.used > 0)
            *result = from_binary(&n, exponent);
        return end;
    }
    if ((end = parse_digits(p, 10, &n, &exponent))) {
        end = parse_exponent(end, 'e', &exponent);
        if (n.used > 0)
            *result = from_decimal(&n, exponent);
    }
    return end;
}

double strtod(const char *restrict text, char **restrict end)
{
    const char *p = text;
    double value;
    int negative = 0;

    while (is_space(*p))
        p++;
    if (*p == '-' || *p == '+')
        negative = *p++ == '-';
    p = parse_float(p, &value);
    if (end)
        *end = (char *)(p ? p : text);
    return negative && p ? -value : value;
}

double atof(const char *text)
{
    return strtod(text, NULL);
}
