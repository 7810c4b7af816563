/* A bytecode interpreter with a stack, variables, jumps and calls. */
#include <stdio.h>

enum op { PUSH, LOAD, STORE, ADD, SUB, MUL, DUP, JNZ, CALL, RET, PRINT, HALT };

static int run(const signed char *code)
{
    int stack[16], vars[2] = { 0 }, calls[4], sp = 0, cp = 0, pc = 0, steps = 0;
    for (;;) {
        steps++;
        switch ((enum op)code[pc++]) {
        case PUSH: stack[sp++] = code[pc++]; break;
        case LOAD: stack[sp++] = vars[code[pc++]]; break;
        case STORE: vars[code[pc++]] = stack[--sp]; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case DUP: stack[sp] = stack[sp - 1]; sp++; break;
        case JNZ: if (stack[--sp]) pc = code[pc]; else pc++; break;
        case CALL: calls[cp++] = pc + 1; pc = code[pc]; break;
        case RET: pc = calls[--cp]; break;
        case PRINT: printf("%d\n", stack[--sp]); break;
        case HALT: return steps;
        }
    }
}

int main(void)
{
    static const signed char sum_squared[] = {
        PUSH, 10, STORE, 1,
        /*  4 */ LOAD, 0, LOAD, 1, ADD, STORE, 0,
        /* 11 */ LOAD, 1, PUSH, 1, SUB, DUP, STORE, 1, JNZ, 4,
        /* 21 */ LOAD, 0, CALL, 27, PRINT, HALT,
        /* 27 */ DUP, MUL, RET,
    };
    static const signed char power[] = { PUSH, -3, CALL, 8, CALL, 8, PRINT, HALT, DUP, DUP, MUL, MUL, RET };
    int a = run(power), b = run(sum_squared);
    printf("%d %d\n", a, b);
    return (a + b) % 126;
}
