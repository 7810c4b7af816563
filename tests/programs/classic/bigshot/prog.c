/* One thread makes room for a word, the other writes the word if there is room by then.
   -DBROKEN expects the word to be there in any case. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char *_Atomic room;

static void *make_room(void *arg)
{
    (void)arg;
    room = calloc(8, 1);
    return NULL;
}

static void *write_word(void *arg)
{
    static const char word[] = "Bigshot";
    char *to = room;

    (void)arg;
    for (size_t i = 0; to && i < sizeof word; i++)
        to[i] = word[i];
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, make_room, NULL);
    pthread_create(&t2, NULL, write_word, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
#ifdef BROKEN
    assert(!room || room[0] == 'B');
#else
    assert(!room || room[0] == 'B' || room[0] == '\0');
#endif
    free(room);
    return 0;
}
