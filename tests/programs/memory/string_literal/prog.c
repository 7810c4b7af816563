/* A string literal is not to be written. */
int main(void)
{
    char *text = "abc";
    char copy[] = "abc";

    copy[0] = 'x';
    WHAT[0] = 'x';
    return 0;
}
