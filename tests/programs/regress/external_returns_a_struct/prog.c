/* A struct that comes in two registers is arbitrary, not uninitialised. */
struct pair { long a, b; };
extern struct pair make(void);

int main(void)
{
    struct pair p = make();

    return p.a == 4 || p.b == 4;
}
