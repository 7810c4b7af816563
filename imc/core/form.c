#include "form.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

/* What the fields d, a, b and c of a record are: R a register, r one or -1, P a pc, S a size, B
 * bits, T a table, L a list of registers, X a text, F a function, n any number. Checked once, relied
 * upon ever after. */
static const char *const FIELDS[LAST_VISIBLE + 1] = {
    [JUMP] = "nPnn", [MOVE] = "RRnn", [BRANCH] = "nRPP", [ADD] = "RRRB", [SUB] = "RRRB",
    [EQ] = "RRRB", [NE] = "RRRB", [SLT] = "RRRB", [SLE] = "RRRB", [ULT] = "RRRB", [ULE] = "RRRB",
    [LOAD] = "RRnS", [STORE] = "nRRS", [INDEX] = "RRRn", [INDEX32] = "RRRn", [OFFSET] = "RRnn",
    [SEXT] = "RRBB", [TRUNC] = "RRnB", [CALL] = "RPnn", [RETURN] = "RRRF", [MUL] = "RRRB",
    [AND] = "RRRB", [OR] = "RRRB", [XOR] = "RRRB", [SHL] = "RRRB", [LSHR] = "RRRB",
    [ASHR] = "RRRB", [UDIV] = "RRRB", [UREM] = "RRRB", [SDIV] = "RRRB", [SREM] = "RRRB",
    [SELECT] = "RRRR", [SWITCH] = "nRTn", [FORGET] = "Rnnn", [FREEZE] = "RRnn",
    [OVERFLOWS] = "nRRn", [ALLOCATE] = "RZnn", [BEGIN] = "nRZn", [ASSUME] = "nRnn",
    [ASSERT] = "nRnn", [FAIL] = "nXXn", [STOPS] = "nXnn", [ATOMIC_END] = "nnnn", [SELF] = "Rnnn",
    [HEAP] = "RRrn", [FREE] = "RRnn", [UPDATE] = "RRRT", [EXCHANGE] = "QRRT", [FILL] = "RRRR",
    [COPY] = "RRRR", [END] = "nRnn", [DISPATCH] = "nRTn", [PERFORM] = "RLnn", [RESUME] = "nPnn",
    [VISIBLE_LOAD] = "RRnS", [VISIBLE_STORE] = "nRRS", [VISIBLE_UPDATE] = "RRRT",
    [VISIBLE_EXCHANGE] = "QRRT", [VISIBLE_RETURN] = "RRRF", [VISIBLE_FREE] = "RRnn",
    [INPUT] = "RnBn", [SPAWN] = "TRRR", [JOIN] = "RRRS", [THREAD_EXIT] = "nRnF", [EXIT] = "nRnn",
    [ABORT] = "nXnn", [ATOMIC_BEGIN] = "nnnn", [MUTEX_INIT] = "RRrr", [MUTEX_DESTROY] = "RRnn",
    [MUTEX_LOCK] = "RRnn", [MUTEX_TRYLOCK] = "RRnn", [MUTEX_UNLOCK] = "RRnn",
    [SPIN_INIT] = "RRnn", [SPIN_LOCK] = "RRnn", [SPIN_TRYLOCK] = "RRnn", [SPIN_UNLOCK] = "RRnn",
    [COND_INIT] = "RRnn", [COND_WAIT] = "RRRn", [COND_SIGNAL] = "RRnn", [COND_BROADCAST] = "RRnn",
    [SEM_INIT] = "RRRn", [SEM_WAIT] = "RRnn", [SEM_POST] = "RRnn", [BARRIER_INIT] = "RRRn",
    [BARRIER_WAIT] = "RRnn", [DESTROY] = "RRZZ", [DETACH] = "RRnn",
    [VISIBLE_PERFORM] = "RLnn",
};

static int copy_array(numbers *to, const core_array *from) {
    if (from->length < 0 || (from->length && from->at == NULL) || from->length > 1 << 26) return 1;
    to->length = from->length;
    to->at = malloc((size_t)(from->length + 1) * sizeof *to->at);
    if (to->at == NULL) return 1;
    if (from->length) memcpy(to->at, from->at, (size_t)from->length * sizeof *to->at);
    to->at[from->length] = 0;
    return 0;
}

static int is_register(const form *f, int64_t n) { return n >= 0 && n < f->registers.length; }
static int is_pc(const form *f, int64_t n) { return n >= 0 && n < f->records; }
static int is_table(const form *f, int64_t at, int64_t length) {
    return at >= 0 && length >= 0 && at <= f->tables.length && length <= f->tables.length - at;
}
/* A table of so many registers, and the registers behind it. */
static int is_list(const form *f, int64_t at, int factor) {
    if (!is_table(f, at, 1)) return 0;
    int64_t count = f->tables.at[at];
    if (count < 0 || !is_table(f, at + 1, count)) return 0;
    for (int64_t k = 0; k < count; k++)
        if (f->tables.at[at + 1 + k] < 0 || !is_register(f, f->tables.at[at + 1 + k] / factor))
            return 0;
    return 1;
}

static int table_is_right(const form *f, int op, int64_t at) {
    const int64_t *t = f->tables.at + at;
    switch (op) {
    case SWITCH: {
        if (!is_table(f, at, 1) || t[0] < 0 || t[0] > f->tables.length) return 0;
        int64_t count = t[0];
        if (!is_table(f, at, 2 + 2 * count)) return 0;
        for (int64_t k = 0; k < count; k++)
            if (!is_pc(f, t[2 + 2 * k])) return 0;
        return is_pc(f, t[1 + 2 * count]);
    }
    case DISPATCH: {
        if (!is_table(f, at, 1) || t[0] < 0 || t[0] > f->tables.length) return 0;
        if (!is_table(f, at, 1 + 2 * t[0])) return 0;
        for (int64_t k = 0; k < t[0]; k++)
            if (!is_pc(f, t[2 + 2 * k])) return 0;
        return 1;
    }
    case UPDATE:
    case VISIBLE_UPDATE:
        return is_table(f, at, 4) && t[0] >= 0 && t[0] <= 10 && t[1] >= 1 && t[1] <= 8 &&
               t[2] >= 1 && t[2] <= 64;
    case EXCHANGE:
    case VISIBLE_EXCHANGE:
        return is_table(f, at, 2) && is_register(f, t[0]) && t[1] >= 1 && t[1] <= 8;
    case SPAWN:
        return is_table(f, at, 2) && is_register(f, t[0]) && is_register(f, t[1]);
    }
    return 0;
}

static int field_is_right(const form *f, int op, char what, int64_t n) {
    switch (what) {
    case 'R': return is_register(f, n);
    case 'Q': return is_register(f, n) && is_register(f, n + 1);
    case 'r': return n == -1 || is_register(f, n);
    case 'P': return is_pc(f, n);
    case 'S': return n >= 1 && n <= 8;
    case 'Z': return n >= 0 && n <= MOST_CELLS;
    case 'B': return n >= 1 && n <= 64;
    case 'T': return table_is_right(f, op, n);
    case 'L': return is_list(f, n, 1);
    case 'X': return n >= 0 && n < f->properties.length;
    case 'F': return n >= 0 && n < f->function_count;
    }
    return 1;
}

/* Whether what follows a record is the next one. */
static int goes_on(int op) {
    return op != JUMP && op != BRANCH && op != RETURN && op != SWITCH && op != DISPATCH && op != FAIL &&
           op != STOPS && op != RESUME && op != VISIBLE_RETURN && op != THREAD_EXIT && op != EXIT;
}

/* Results are registers in a row; a second record leads back to the first one. */
static int performing_is_right(const form *f, int64_t pc) {
    const int64_t *r = record_of(f, pc);
    if (r[3] < 0 || r[3] > f->registers.length - r[1]) return 0;
    for (int64_t k = 0; k < r[3]; k++)
        if (f->registers_defined.at[r[1] + k]) return 0;
    if (!r[4]) return 1;
    const int64_t *back = r + WIDTH;
    return pc + 2 < f->records && back[0] == RESUME && back[2] == pc && back[3] >= 0 &&
           back[3] < 1000 && f->live.at[pc] >= 0;
}

static int record_is_right(const form *f, int64_t pc) {
    const int64_t *r = record_of(f, pc);
    if (r[0] < 0 || r[0] > LAST_VISIBLE || FIELDS[r[0]] == NULL) return 0;
    int op = (int)r[0];
    for (int k = 0; k < 4; k++)
        if (!field_is_right(f, op, FIELDS[op][k], r[1 + k])) return 0;
    if (goes_on(op) && pc + 1 >= f->records) return 0;
    if (op == SEXT && r[3] > r[4]) return 0;
    if (op == INPUT && (r[2] < 0 || r[2] > 3 || (r[2] == 3 && !is_list(f, r[4], 1)))) return 0;
    if ((op == PERFORM || op == VISIBLE_PERFORM) && !performing_is_right(f, pc)) return 0;
    if (op == OFFSET && (r[3] > (1ll << 40) || r[3] < -(1ll << 40))) return 0;
    if ((op == INDEX || op == INDEX32) && (r[4] > 1ll << 30 || r[4] < -(1ll << 30))) return 0;
    if (op == OVERFLOWS) {
        int64_t inner = r[4] >> 10, bits = r[4] & 127;
        if ((inner != ADD && inner != SUB && inner != MUL && inner != SHL) || bits < 1 || bits > 64)
            return 0;
    }
    /* Constants keep what they hold. */
    int writes = FIELDS[op][0] == 'R' || FIELDS[op][0] == 'Q';
    if (writes && f->registers_defined.at[r[1]]) return 0;
    if (FIELDS[op][0] == 'Q' && f->registers_defined.at[r[1] + 1]) return 0;
    if (op == CALL && r[1] >= f->persistent) return 0;
    return op < VISIBLE || f->live.at[pc] >= 0; /* threads rest there */
}

/* The live registers of a record: a list whose last one is the function's return address. */
static int live_is_right(const form *f, int64_t pc) {
    int64_t at = f->live.at[pc];
    if (at < 0) return at == -1;
    if (!is_list(f, at, 1) || f->tables.at[at] < 1) return 0;
    return f->tables.at[at + f->tables.at[at]] == function_of(f, function_at(f, pc))[F_LINK];
}

static int functions_are_right(const form *f) {
    if (f->functions.length % FUNCTION_WIDTH || f->function_count < 1) return 0;
    int64_t last = -1;
    for (int64_t n = 0; n < f->function_count; n++) {
        const int64_t *g = function_of(f, n);
        if (g[F_OBJECT] < 1 || g[F_OBJECT] >= f->kinds.length) return 0;
        if (!is_pc(f, g[F_FIRST_PC]) || g[F_FIRST_PC] <= last || (n == 0 && g[F_FIRST_PC] != 0))
            return 0;
        if (g[F_PARAMETER] != -1 && !is_register(f, g[F_PARAMETER])) return 0;
        if (g[F_PARAMETER] >= 0 && f->registers_defined.at[g[F_PARAMETER]]) return 0;
        if (g[F_LINK] < 0 || g[F_LINK] >= f->persistent || f->registers_defined.at[g[F_LINK]])
            return 0;
        if (!is_list(f, g[F_LOCALS], 1)) return 0;
        last = g[F_FIRST_PC];
    }
    if (f->end_of_thread < -1 || f->end_of_thread >= f->function_count) return 0;
    return f->entry >= 0 && f->entry < f->function_count;
}

static int memory_is_right(const form *f) {
    if (f->cells.length != f->layout.length || f->cells.length != f->cells_defined.length) return 0;
    if (f->cells.length > MOST_CELLS || f->kinds.length < 1 || f->kinds.length > MOST_OBJECTS / 2)
        return 0;
    if (f->objects.length % 4) return 0;
    int64_t end = 0;
    for (int64_t k = 0; k < f->objects.length; k += 4) {
        const int64_t *o = f->objects.at + k;
        if (o[0] < 1 || o[0] >= f->kinds.length || o[1] != end || o[2] < 0) return 0;
        if (o[2] > f->cells.length - end) return 0;
        end += o[2];
    }
    for (int64_t k = 0; k < f->kinds.length; k++)
        if (f->kinds.at[k] < 0 || f->kinds.at[k] > KIND_LIBRARY) return 0;
    for (int64_t k = 0; k < f->layout.length;) {
        int64_t size = f->layout.at[k];
        if (size < 0 || size > 16 || size > f->layout.length - k) return 0;
        for (int64_t j = 1; j < size; j++)
            if (f->layout.at[k + j] != -1) return 0;
        k += size ? size : 1;
    }
    return 0 <= f->variables && f->variables <= f->statics && f->statics <= f->cells.length;
}

static int shapes_are_right(const form *f) {
    if (f->code.length != WIDTH * f->records || f->records < 1) return 0;
    if (f->live.length != f->records || f->notes.length != f->records) return 0;
    if (f->registers.length != f->registers_defined.length || f->registers.length < 1) return 0;
    if (f->registers.length > 1 << 20 || f->records > 1 << 24) return 0;
    if (f->persistent < 0 || f->persistent > f->registers.length) return 0;
    if (f->arguments.length % 2 || f->arguments_defined.length != f->arguments.length / 2) return 0;
    if (f->allocated < 0 || f->thread_limit < 1 || f->largest < 0) return 0;
    for (int64_t k = 0; k < f->persistent; k++)
        if (f->registers_defined.at[k]) return 0;
    for (int64_t k = 0; k < f->arguments.length; k += 2)
        if (!is_register(f, f->arguments.at[k]) || f->registers_defined.at[f->arguments.at[k]])
            return 0;
    for (int64_t k = 0; k < f->sites.length; k++)
        if (f->sites.at[k] < 0 || f->sites.at[k] >= f->operands.length) return 0;
    for (int64_t k = 0; k < f->operands.length; k++)
        if (f->operands.at[k] != -1 && !is_list(f, f->operands.at[k], 2)) return 0;
    return f->inputs.length >= 1;
}

static int copy_all(form *f, const core_form *from) {
    numbers scalars = {0, 0}, settings = {0, 0};
    int bad = copy_array(&f->code, &from->code) | copy_array(&f->sites, &from->sites) |
              copy_array(&f->functions, &from->functions) | copy_array(&f->tables, &from->tables) |
              copy_array(&f->operands, &from->operands) | copy_array(&f->objects, &from->objects) |
              copy_array(&f->live, &from->live) | copy_array(&f->arguments, &from->arguments) |
              copy_array(&f->arguments_defined, &from->arguments_defined) |
              copy_array(&f->registers, &from->registers) |
              copy_array(&f->registers_defined, &from->registers_defined) |
              copy_array(&f->cells, &from->cells) |
              copy_array(&f->cells_defined, &from->cells_defined) |
              copy_array(&f->layout, &from->layout) | copy_array(&f->kinds, &from->kinds) |
              copy_array(&f->functions_known, &from->functions_known) |
              copy_array(&f->inputs, &from->inputs) | copy_array(&f->notes, &from->notes) |
              copy_array(&f->properties, &from->properties) |
              copy_array(&scalars, &from->scalars) | copy_array(&settings, &from->settings);
    if (!bad && (scalars.length != 6 || settings.length != 3)) bad = 1;
    if (!bad) {
        f->entry = scalars.at[0];
        f->persistent = scalars.at[1];
        f->variables = scalars.at[2];
        f->statics = scalars.at[3];
        f->allocated = scalars.at[4];
        f->end_of_thread = scalars.at[5];
        f->checked = settings.at[0];
        f->thread_limit = settings.at[1];
        f->largest = settings.at[2];
    }
    free(scalars.at);
    free(settings.at);
    return bad;
}

int form_load(form *f, const core_form *from) {
    memset(f, 0, sizeof *f);
    if (copy_all(f, from)) return 1;
    f->records = f->sites.length;
    f->function_count = f->functions.length / FUNCTION_WIDTH;
    if (!shapes_are_right(f)) return 2;
    if (!memory_is_right(f)) return 3;
    if (!functions_are_right(f)) return 4;
    for (int64_t pc = 0; pc < f->records; pc++) {
        if (!record_is_right(f, pc)) return 5;
        if (!live_is_right(f, pc)) return 6;
        if (record_of(f, pc)[0] == CALL && f->live.at[pc] < 0) return 6;
    }
    f->function_of = malloc((size_t)f->kinds.length * sizeof *f->function_of);
    if (f->function_of == NULL) return 1;
    for (int64_t k = 0; k < f->kinds.length; k++) f->function_of[k] = -1;
    for (int64_t k = 0; k < f->functions_known.length; k++) {
        if (f->functions_known.at[k] < 0 || f->functions_known.at[k] >= f->kinds.length) return 4;
        f->function_of[f->functions_known.at[k]] = -2;
    }
    for (int64_t n = f->function_count - 1; n >= 0; n--) /* the first copy of each */
        f->function_of[function_of(f, n)[F_OBJECT]] = n;
    return 0;
}

void form_free(form *f) {
    numbers *all[] = {&f->code, &f->sites, &f->functions, &f->tables, &f->operands, &f->objects,
                      &f->live, &f->arguments, &f->arguments_defined, &f->registers,
                      &f->registers_defined, &f->cells, &f->cells_defined, &f->layout, &f->kinds,
                      &f->functions_known, &f->inputs, &f->notes, &f->properties};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]->at);
    free(f->function_of);
    memset(f, 0, sizeof *f);
}
