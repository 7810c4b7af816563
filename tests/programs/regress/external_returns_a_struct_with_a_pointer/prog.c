/* So is one with a pointer and parts of words. */
struct named { int *where; short length; char text[2]; };
struct mixed { double weight; char kind; };
extern struct named name(void);
extern struct mixed weigh(void);

int main(void)
{
    struct named n = name();
    struct mixed m = weigh();

    if (n.where && n.length > 3)
        return n.text[1] == 'x';
    return m.weight > 1.0 && m.kind == 'y';
}
