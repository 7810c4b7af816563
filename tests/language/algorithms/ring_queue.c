/* A ring buffer queue with wrapping indices. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SIZE 4u

struct queue { int slot[SIZE]; uint8_t head, tail; };

static bool put(struct queue *q, int v)
{
    if ((uint8_t)(q->tail - q->head) == SIZE)
        return false;
    q->slot[q->tail++ % SIZE] = v;
    return true;
}

static bool get(struct queue *q, int *v)
{
    if (q->head == q->tail)
        return false;
    *v = q->slot[q->head++ % SIZE];
    return true;
}

int main(void)
{
    struct queue q = { .head = 253, .tail = 253 };
    int rejected = 0, sum = 0, v;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 6; i++)
            if (!put(&q, round * 10 + i))
                rejected++;
        for (int i = 0; i < 3; i++)
            if (get(&q, &v)) {
                printf("%d ", v);
                sum += v;
            }
    }
    while (get(&q, &v))
        printf("%d ", v);
    printf("\n%d %u %u\n", rejected, q.head, q.tail);
    return sum % 100 + rejected;
}
