/* Memory that mmap brought is not free's to take: once, this was safe. */
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return 1;
    free(page);
    return 0;
}
