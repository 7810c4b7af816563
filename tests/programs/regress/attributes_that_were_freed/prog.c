/* Attributes are memory, also those that make no difference. */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_attr_t *attributes = malloc(sizeof *attributes);

    pthread_attr_init(attributes);
    free(attributes);
    pthread_attr_setstacksize(attributes, 1 << 20);
    return 0;
}
