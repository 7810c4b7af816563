/* Arrays in structures: by-value copies, rows of two-dimensional members. */
#include <stdio.h>

struct board { char cell[3][3]; int moves; };

static struct board place(struct board b, int r, int c, char who)
{
    b.cell[r][c] = who;
    b.moves++;
    return b;
}

static char winner(const struct board *b)
{
    for (int i = 0; i < 3; i++) {
        const char *row = b->cell[i];
        if (row[0] != '.' && row[0] == row[1] && row[1] == row[2])
            return row[0];
    }
    char m = b->cell[1][1];
    if (m != '.' && b->cell[0][0] == m && b->cell[2][2] == m)
        return m;
    return '-';
}

int main(void)
{
    struct board start = { { { '.', '.', '.' }, { '.', '.', '.' }, { '.', '.', '.' } }, 0 };
    struct board b = place(place(start, 0, 0, 'x'), 1, 0, 'o');
    b = place(place(b, 1, 1, 'x'), 2, 0, 'o');
    printf("%c %d\n", winner(&b), b.moves);
    struct board won = place(b, 2, 2, 'x');
    printf("%c %c %d\n", winner(&won), winner(&b), won.moves);
    for (int r = 0; r < 3; r++)
        printf("%.3s\n", won.cell[r]);
    return winner(&won);
}
