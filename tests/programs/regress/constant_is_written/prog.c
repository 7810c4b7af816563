/* A constant is written through a cast: it lies where nothing can be written. */
static const int constant = 1;

int main(void)
{
    int *p = (int *)&constant;

    *p = 2;
    return 0;
}
