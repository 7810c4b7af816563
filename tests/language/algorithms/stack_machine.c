/* A bytecode interpreter with a stack, jumps and calls. */
#include <stdio.h>

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JNZ, JMP, CALL, RET, PRINT, HALT };

static int run(const signed char *code)
{
    int stack[16], calls[4], sp = 0, cp = 0, pc = 0, steps = 0;
    for (;;) {
        steps++;
        switch ((enum op)code[pc++]) {
        case PUSH: stack[sp++] = code[pc++]; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case DUP: stack[sp] = stack[sp - 1]; sp++; break;
        case SWAP: {
            int t = stack[sp - 1];
            stack[sp - 1] = stack[sp - 2];
            stack[sp - 2] = t;
            break;
        }
        case JNZ: if (stack[--sp]) pc = code[pc]; else pc++; break;
        case JMP: pc = code[pc]; break;
        case CALL: calls[cp++] = pc + 1; pc = code[pc]; break;
        case RET: pc = calls[--cp]; break;
        case PRINT: printf("%d\n", stack[--sp]); break;
        case HALT: return steps;
        }
    }
}

int main(void)
{
    static const signed char sum_to_ten[] = {
        PUSH, 0, PUSH, 10,
        DUP, CALL, 17, SWAP, PUSH, 1, SUB, DUP, JNZ, 4, SWAP, PRINT, HALT,
        /* 17: acc n n -- acc+n n, by arithmetic on the top three */
        PUSH, -1, MUL, SWAP, PUSH, 2, MUL, ADD, SWAP, PUSH, 3, ADD, SWAP, RET,
    };
    static const signed char square[] = { PUSH, 9, CALL, 6, PRINT, HALT, DUP, MUL, RET };
    int a = run(square), b = run(sum_to_ten);
    printf("%d %d\n", a, b);
    return a + b % 100;
}
