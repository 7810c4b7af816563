/* Parts of objects are filled with bytes, and hold numbers and addresses then. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; short left[3]; struct node *next; char text[12]; struct node *last; };

static struct node *top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *make(void *text)
{
    struct node *made = malloc(sizeof *made);
    memset(made->left, 0xff, sizeof made->left);
    memset(&made->next, 0, sizeof *made - offsetof(struct node, next));
    memset(made->text + 1, 'x', 5);
    made->text[0] = *(char *)text;
    made->key = 1;
    pthread_mutex_lock(&lock);
    made->next = top;
    if (top) top->last = made;
    top = made;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, make, "a");
    pthread_create(&two, 0, make, "b");
    pthread_join(one, 0);
    pthread_join(two, 0);
    struct node *below = top->next;
    assert(below->last == top && !below->next && !top->last);
    assert(top->left[0] == -1 && top->left[2] == -1 && top->key == 1);
    assert(!strcmp(top->text + 1, "xxxxx") && top->text[0] != below->text[0]);
    free(top);
    uint64_t word;
    memset(&word, 0x80, sizeof word);
    assert(word == 0x8080808080808080);
#ifdef GONE
    assert(!strcmp(below->next ? "" : top->text, ""));
#endif
    free(below);
}
