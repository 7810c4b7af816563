/* The result comes in another register than the caller looks at. */
static double half(int n)
{
    return n / 2.0;
}

int main(void)
{
    int (*f)(int) = (int (*)(int))half;
    int a[2] = {0, 0};

    a[f(1) & 1] = 3;
    return a[0];
}
