/* A function is called through a pointer of another type: what it is given is not a double. */
static int positive(double d)
{
    return d > 0;
}

int main(void)
{
    int (*f)(int *) = (int (*)(int *))positive;
    int v = 0;

    return f(&v);
}
