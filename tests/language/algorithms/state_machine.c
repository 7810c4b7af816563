/* A table-driven state machine that strips C comments. */
#include <stdio.h>

enum state { CODE, SLASH, BLOCK, STAR, TEXT, STATES };
enum input { I_SLASH, I_STAR, I_QUOTE, I_OTHER, INPUTS };

static const unsigned char next[STATES][INPUTS] = {
    [CODE] = { SLASH, CODE, TEXT, CODE },
    [SLASH] = { SLASH, BLOCK, TEXT, CODE },
    [BLOCK] = { BLOCK, STAR, BLOCK, BLOCK },
    [STAR] = { CODE, STAR, BLOCK, BLOCK },
    [TEXT] = { TEXT, TEXT, CODE, TEXT },
};

static enum input classify(char c)
{
    switch (c) {
    case '/': return I_SLASH;
    case '*': return I_STAR;
    case '"': return I_QUOTE;
    default: return I_OTHER;
    }
}

int main(void)
{
    const char *s = "a/b /* gone **/ c \"/* kept */\" /*x*/d";
    enum state st = CODE;
    int visits[STATES] = { 0 }, printed = 0;
    for (; *s; s++) {
        enum state to = (enum state)next[st][classify(*s)];
        visits[to]++;
        if (st == SLASH && to != BLOCK) {
            putchar('/');
            printed++;
        }
        if ((to == CODE && st != STAR) || to == TEXT) {
            putchar(*s);
            printed++;
        }
        st = to;
    }
    putchar('\n');
    for (int i = 0; i < STATES; i++)
        printf("%d ", visits[i]);
    putchar('\n');
    return printed;
}
