/* A binary heap of structures used as a priority queue. */
#include <stdio.h>

struct job { unsigned char priority; const char *name; };
static struct job heap[8];
static int n;

static void swap(int a, int b)
{
    struct job t = heap[a];
    heap[a] = heap[b];
    heap[b] = t;
}

static void push(struct job j)
{
    int i = n++;
    heap[i] = j;
    for (; i > 0 && heap[i].priority < heap[(i - 1) / 2].priority; i = (i - 1) / 2)
        swap(i, (i - 1) / 2);
}

static struct job pop(void)
{
    struct job top = heap[0];
    heap[0] = heap[--n];
    for (int i = 0;;) {
        int k = 2 * i + 1;
        if (k + 1 < n && heap[k + 1].priority < heap[k].priority)
            k++;
        if (k >= n || heap[i].priority <= heap[k].priority)
            break;
        swap(i, k);
        i = k;
    }
    return top;
}

int main(void)
{
    static const struct job jobs[] = { { 40, "d" }, { 10, "a" }, { 90, "f" }, { 30, "c" }, { 20, "b" }, { 55, "e" } };
    for (int i = 0; i < 6; i++)
        push(jobs[i]);
    push((struct job){ 5, "first" });
    int code = 0;
    while (n > 0) {
        struct job j = pop();
        printf("%s/%d ", j.name, j.priority);
        code = (code * 3 + j.priority) % 101;
    }
    putchar('\n');
    return code;
}
