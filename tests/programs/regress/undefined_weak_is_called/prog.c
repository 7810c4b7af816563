/* Who calls a weak function that nobody defines calls null. */
extern void hook(void) __attribute__((weak));

int main(void)
{
    hook();
    return 0;
}
