/* Arithmetic on words, as imc/compact/numbers.py has it. */
#include "machine.h"

#define FAR (1ll << 31) /* distances that lead to another object */

int64_t to_signed(uint64_t v, int bits) {
    if (bits >= 64) return (int64_t)v;
    return v >> (bits - 1) & 1 ? (int64_t)(v | ~mask_of(bits)) : (int64_t)v;
}

/* Keys of states take a number that looks like an address for one, so none may be made. */
void number_is_no_address(machine *m, uint64_t v) {
    uint64_t high = v >> SHIFT;
    if (high && high < MOST_OBJECTS) refuse(m, NUMBER_LIKE_ADDRESS);
}

static int looks_like_address(const machine *m, uint64_t v) {
    uint64_t high = v >> SHIFT;
    return high > 0 && high < (uint64_t)m->objects;
}

/* Somebody computes with the number of an address: then it matters which number that is, states
 * are no longer the same up to names, and the model has to say so. */
void uses_number(machine *m, uint64_t v) {
    if (looks_like_address(m, v)) refuse(m, NUMBER_OR_ADDRESS);
}

/* A number is compared with an address: null and its like are no object's, wherever that lies. */
void compares_equal(machine *m, uint64_t x, uint64_t y) {
    if (looks_like_address(m, x) == looks_like_address(m, y)) return;
    uint64_t number = looks_like_address(m, x) ? y : x, address = looks_like_address(m, x) ? x : y;
    int64_t offset = offset_of(address);
    if (offset <= -4096 || offset >= FAR || !(number < 4096 || number >> 63))
        refuse(m, NUMBER_OR_ADDRESS);
}

/* Addresses stay in the window of their object, or the model has to do it. */
static value wide(machine *m, value x, value y, int negative) {
    if (x.u || y.u) return UNDEFINED;
    uint64_t sum = negative ? x.v - y.v : x.v + y.v;
    int left = looks_like_address(m, x.v), right = looks_like_address(m, y.v);
    if (left != right) {
        int64_t distance = (int64_t)(left ? y.v : x.v);
        if (sum >> SHIFT != (left ? x.v : y.v) >> SHIFT) refuse(m, FAR_ADDRESS);
        if ((right && negative) || distance >= FAR || distance <= -FAR)
            refuse(m, NUMBER_OR_ADDRESS);
        return NUMBER(sum);
    }
    if (left && (!negative || x.v >> SHIFT != y.v >> SHIFT)) refuse(m, NUMBER_OR_ADDRESS);
    number_is_no_address(m, sum);
    return NUMBER(sum);
}

/* A bitwise operation on something undefined: all of it is, or none; anything between is refused. */
static value partly(machine *m, uint64_t number, uint64_t unknown, int bits) {
    uint64_t mask = mask_of(bits);
    unknown &= mask;
    if (unknown == 0) return NUMBER(number & mask);
    if (unknown != mask) refuse(m, PARTLY_UNDEFINED);
    return UNDEFINED;
}

static value bitwise(machine *m, int op, value x, value y, int bits) {
    uint64_t mask = mask_of(bits);
    if (!x.u && !y.u) {
        uint64_t v = op == AND ? x.v & y.v : op == OR ? x.v | y.v : x.v ^ y.v;
        v &= mask;
        if (v >> SHIFT) {
            uses_number(m, x.v);
            uses_number(m, y.v);
            number_is_no_address(m, v);
        } else if ((x.v | y.v) >> SHIFT) {
            uses_number(m, x.v);
            uses_number(m, y.v);
        }
        return NUMBER(v);
    }
    if (op == XOR) return UNDEFINED;
    uint64_t p = x.u ? 0 : x.v, u = x.u ? mask : 0, q = y.u ? 0 : y.v, w = y.u ? mask : 0;
    if (op == AND) return partly(m, p & q, (u | w) & (p | u) & (q | w), bits);
    return partly(m, p | q, (u | w) & ~p & ~q, bits);
}

static value shifted(machine *m, int op, value x, value y, int bits) {
    if (op == ASHR) {
        if (x.u || y.u || y.v >= (uint64_t)bits) return UNDEFINED;
    } else if (y.u || y.v >= (uint64_t)bits) {
        return UNDEFINED;
    }
    uint64_t mask = mask_of(bits);
    if (x.u) {
        uint64_t unknown = op == SHL ? mask << y.v : mask >> y.v;
        return partly(m, 0, unknown, bits);
    }
    uses_number(m, x.v);
    uint64_t v = op == SHL    ? x.v << y.v
                 : op == LSHR ? x.v >> y.v
                              : (uint64_t)(to_signed(x.v, bits) >> y.v);
    v &= mask;
    number_is_no_address(m, v);
    return NUMBER(v);
}

static value divided(machine *m, int op, value x, value y, int bits) {
    int is_signed = op == SDIV || op == SREM;
    if (!decide(m, y)) fault(m, DIVISION);
    if (is_signed && y.v == mask_of(bits) && !x.u && x.v == 1ull << (bits - 1)) fault(m, DIVISION);
    if (x.u) return UNDEFINED;
    uses_number(m, x.v);
    uses_number(m, y.v);
    uint64_t v;
    if (op == UDIV) {
        v = x.v / y.v;
    } else if (op == UREM) {
        v = x.v % y.v;
    } else {
        int64_t p = to_signed(x.v, bits), q = to_signed(y.v, bits);
        uint64_t a = p < 0 ? 0 - (uint64_t)p : (uint64_t)p, b = q < 0 ? 0 - (uint64_t)q : (uint64_t)q;
        if (op == SDIV)
            v = (p < 0) == (q < 0) ? a / b : 0 - a / b;
        else
            v = p < 0 ? 0 - a % b : a % b;
        v &= mask_of(bits);
    }
    number_is_no_address(m, v);
    return NUMBER(v);
}

static value compared(machine *m, int op, value x, value y, int bits) {
    if (x.u || y.u) return UNDEFINED;
    if (op == EQ || op == NE) {
        if ((x.v | y.v) >> SHIFT) compares_equal(m, x.v, y.v);
        return NUMBER((x.v == y.v) == (op == EQ));
    }
    if ((x.v | y.v) >> SHIFT && x.v >> SHIFT != y.v >> SHIFT) {
        uses_number(m, x.v);
        uses_number(m, y.v);
    }
    uint64_t flip = op == SLT || op == SLE ? 1ull << (bits - 1) : 0;
    uint64_t p = x.v ^ flip, q = y.v ^ flip;
    return NUMBER(op == SLT || op == ULT ? p < q : p <= q);
}

value binary(machine *m, int op, value x, value y, int bits) {
    switch (op) {
    case ADD:
    case SUB:
        if (bits == 64) return wide(m, x, y, op == SUB);
        if (x.u || y.u) return UNDEFINED;
        {
            uint64_t v = (op == ADD ? x.v + y.v : x.v - y.v) & mask_of(bits);
            if (bits > SHIFT) number_is_no_address(m, v);
            return NUMBER(v);
        }
    case EQ: case NE: case SLT: case SLE: case ULT: case ULE:
        return compared(m, op, x, y, bits);
    case MUL:
        if (x.u || y.u) return (!x.u && !x.v) || (!y.u && !y.v) ? NUMBER(0) : UNDEFINED;
        uses_number(m, x.v);
        uses_number(m, y.v);
        {
            uint64_t v = x.v * y.v & mask_of(bits);
            number_is_no_address(m, v);
            return NUMBER(v);
        }
    case AND: case OR: case XOR:
        return bitwise(m, op, x, y, bits);
    case SHL: case LSHR: case ASHR:
        return shifted(m, op, x, y, bits);
    default:
        return divided(m, op, x, y, bits);
    }
}

int overflows(int op, value x, value y, int bits, int nsw, int nuw) {
    if (x.u || y.u || (op == SHL && y.v >= (uint64_t)bits)) return 0;
    /* Products of two words fit into 128 bits with a sign; shifts are products. */
    __int128 p = to_signed(x.v, bits), q = op == SHL ? (__int128)y.v : to_signed(y.v, bits);
    if (nsw) {
        __int128 exact = op == ADD ? p + q : op == SUB ? p - q : op == MUL ? p * q : p * ((__int128)1 << q);
        __int128 half = (__int128)1 << (bits - 1);
        if (exact < -half || exact >= half) return 1;
    }
    if (!nuw) return 0;
    unsigned __int128 a = x.v, b = y.v;
    if (op == SUB) return a < b;
    unsigned __int128 exact = op == ADD ? a + b : op == MUL ? a * b : a << b;
    return exact >> bits != 0;
}

/* What an atomic update makes of the old value and the operand, by its number in the form. */
value updated(machine *m, int kind, value old, value operand, int bits) {
    if (kind == 0) return operand;
    if (kind <= 2) return binary(m, kind == 1 ? ADD : SUB, old, operand, bits);
    if (kind <= 5) return bitwise(m, kind == 3 ? AND : kind == 4 ? OR : XOR, old, operand, bits);
    if (kind == 6) {
        value both = bitwise(m, AND, old, operand, bits);
        if (both.u) return both;
        uint64_t v = both.v ^ mask_of(bits);
        number_is_no_address(m, v);
        return NUMBER(v);
    }
    if (old.u || operand.u) decide(m, UNDEFINED);
    uses_number(m, old.v);
    uses_number(m, operand.v);
    uint64_t flip = kind == 7 || kind == 8 ? 1ull << (bits - 1) : 0;
    int larger = kind == 7 || kind == 9 ? (operand.v ^ flip) > (old.v ^ flip)
                                        : (operand.v ^ flip) < (old.v ^ flip);
    return larger ? operand : old;
}
