/* Nested switches, with break and continue of the surrounding loop. */
#include <stdio.h>

int main(void)
{
    int total = 0;
    for (int i = 0; i < 6; i++) {
        switch (i % 3) {
        case 0:
            switch (i) {
            case 0:
                printf("zero ");
                break;
            case 3:
                printf("three ");
                continue;
            }
            total += 1;
            break;
        case 1:
            if (i == 4)
                break;
            total += 10;
            continue;
        case 2: {
            int i2 = i * 2;
            switch (i2) {
            default:
                total += i2;
            }
        }
        }
        printf("end %d\n", i);
    }
    printf("%d\n", total);
    return total;
}
