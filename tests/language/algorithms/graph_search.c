/* Breadth-first distances and depth-first topological order. */
#include <stdio.h>

enum { V = 7 };
static const unsigned char edges[V] = { 0x06, 0x18, 0x10, 0x20, 0x28, 0x40, 0x00 };
static int order[V], filled = V;
static unsigned seen;

static void visit(int v)
{
    if (seen >> v & 1)
        return;
    seen |= 1u << v;
    for (int w = 0; w < V; w++)
        if (edges[v] >> w & 1)
            visit(w);
    order[--filled] = v;
}

int main(void)
{
    int dist[V], queue[V], head = 0, tail = 0;
    for (int i = 0; i < V; i++)
        dist[i] = -1;
    dist[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (int w = 0; w < V; w++)
            if ((edges[v] >> w & 1) && dist[w] < 0) {
                dist[w] = dist[v] + 1;
                queue[tail++] = w;
            }
    }
    for (int i = 0; i < V; i++)
        printf("%d ", dist[i]);
    putchar('\n');
    for (int v = 0; v < V; v++)
        visit(v);
    int code = 0;
    for (int i = 0; i < V; i++) {
        printf("%d ", order[i]);
        code = (code * 5 + order[i]) % 125;
    }
    putchar('\n');
    return code;
}
