/* A chained hash table counting words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; int count; char word[]; };
static struct entry *buckets[8];

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static struct entry *lookup(const char *w)
{
    struct entry **b = &buckets[hash(w) % 8];
    for (struct entry *e = *b; e; e = e->next)
        if (strcmp(e->word, w) == 0)
            return e;
    struct entry *e = malloc(sizeof *e + strlen(w) + 1);
    if (!e)
        exit(1);
    e->next = *b;
    e->count = 0;
    strcpy(e->word, w);
    return *b = e;
}

int main(void)
{
    char text[] = "the cat and the dog and the bird";
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        lookup(w)->count++;
    int distinct = 0, total = 0;
    for (int i = 0; i < 8; i++)
        for (struct entry *e = buckets[i], *next; e; e = next) {
            next = e->next;
            printf("%d:%s=%d ", i, e->word, e->count);
            distinct++;
            total += e->count;
            free(e);
        }
    putchar('\n');
    return distinct * 10 + total;
}
