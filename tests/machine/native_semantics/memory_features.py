"""Features of C's memory: scalars, aggregates and how they are passed, pointers, the heap."""

from __future__ import annotations

from native_semantics.feature import Feature, feature

MEMORY: tuple[Feature, ...] = (
    feature(
        "arrays",
        "static int a[4];",
        """
        a[@i] = @e;
        a[@i]++;
        @x = a[@i];
        a[@i] = a[@i] + a[@i];
        """,
        "a[0]; a[1]; a[2]; a[3]",
    ),
    feature(
        "arithmetic",
        """
static unsigned char u1 = 250;
static unsigned short u2 = 65530;
static unsigned u4 = 4000000000u;
static unsigned long u8 = 1;
static signed char c1 = -3;
""",
        """
        u1 += 100 + @v;
        u2 = (unsigned short)~u2;
        u4 = u4 * 3u + @v;
        u8 = u8 << 31 ^ @v;
        u8 = (unsigned long)u4 * u4;
        c1 = (signed char)(u1 + @v);
        @x = (long)(u8 >> 60) + c1;
        u4 = (unsigned)-c1;
        @x = u4 % 7 + u8 / 1000000007ul;
        u1 = (unsigned char)(u1 << (g0 & 7));
        u4 >>= (unsigned)g1 & 31;
        @x = __builtin_popcountl(u8) + __builtin_clz(u4 | 1);
        @x = u1 > c1;
        """,
        "u1; u2; u4; u8; c1",
    ),
    feature(
        "floats",
        "static float f4 = 0.5f;\nstatic double f8 = 2;",
        """
        f4 += 1.5f;
        f8 = f4 * @v;
        f4 = (float)f8;
        @x = (long)(f8 * 2);
        @x = f4 < f8;
        """,
        "(long)(f4 * 4); (long)(f8 * 4)",
    ),
    feature(
        "byval",
        """
struct big { long a, b, c; };
static struct big s0, s1 = {1, 1, 1};
static long sum(struct big s) { return s.a + 10 * s.b + 100 * s.c; }
static struct big make(long v) { return (struct big){v, v, v}; }
static struct big pass(struct big s) { s.b += 1; return s; }
static long both(struct big s, int n, struct big t) { return n + s.a + 10 * s.c + 100 * t.b; }
""",
        """
        @x = sum(s0);
        @x = sum(s1);
        @x = sum((struct big){g0, @v, g1});
        @x = both(s0, @v, s1);
        s0 = make(@v);
        s1 = make(@v);
        s0 = (struct big){@v, @v, @v};
        s1 = s0;
        s0 = s1;
        s1 = pass(s0);
        s0 = pass(s0);
        s0.@f = @v;
        @x = s0.@f;
        { struct big s = s0; s.@f = @v; s1 = s; }
        { struct big *p = g0 ? &s0 : &s1; *p = make(@v); }
        """,
        "s0.a; s0.b; s0.c; s1.a; s1.b; s1.c",
    ),
    feature(
        "varargs",
        """
struct many { long a, b, c; };
static struct many v0 = {1, 1, 1};
static long total(int n, ...)
{
    va_list list;
    long result = 0;
    va_start(list, n);
    while (n--) {
        struct many s = va_arg(list, struct many);
        result = 10 * result + s.a + s.b + va_arg(list, int) + s.c;
    }
    va_end(list);
    return result;
}
""",
        """
        @x = total(1, v0, @v);
        @x = total(1, v0, g0);
        @x = total(2, v0, @v, v0, @v);
        v0 = (struct many){@v, @v, @v};
        v0.@f = @v;
        """,
        "v0.a; v0.b; v0.c",
    ),
    feature(
        "structs",
        """
struct pair { int a, b; };
struct odd { char c[3]; short h; int i; long l; char t[8]; };
struct three { int a, b, c; };
static struct pair pr = {1, 2};
static struct odd od0, od1 = {{1, 1, 1}, 1, 1, 1, {1, 1}};
static struct three th0, th1 = {1, 1, 1};
static struct pair swapped(struct pair p) { return (struct pair){p.b, p.a}; }
static struct odd changed(struct odd o, int v) { o.h = (short)v; o.t[1] = (char)v; return o; }
static long weigh(struct three t) { return t.a + 10 * t.b + 100 * t.c; }
""",
        """
        pr = swapped(pr);
        pr.a = @v;
        pr = (struct pair){@v, @v};
        od0 = od1;
        od0 = changed(od1, @v);
        od1 = changed(od1, @v);
        od1.i = @v;
        @x = od0.h + 10 * od0.l + 100 * od0.t[1];
        th0 = th1;
        th1 = (struct three){@v, @v, @v};
        @x = weigh(th1);
        """,
        "pr.a; pr.b; od0.c[1]; od0.h; od0.i; od0.l; od0.t[1]; th0.a; th0.b; th0.c",
    ),
    feature(
        "unions",
        """
union cell { long l; int i[2]; short h[4]; unsigned char c[8]; };
static union cell u;
""",
        """
        u.i[@v & 1] = @v;
        u.l = @v * 0x100000001;
        u.h[@i] = @v;
        u.c[@i] += @v;
        @x = u.i[0] + 10 * (long)u.i[1];
        @x = u.c[@i];
        { union cell w = u; w.i[1] = @v; u = w; }
        """,
        "u.l",
    ),
    feature(
        "bitfields",
        """
struct bits { unsigned a : 3, b : 5; int c : 9; unsigned long d : 33; _Bool e : 1; };
static struct bits b0;
""",
        """
        b0.a = @v;
        b0.b += @v;
        b0.c = -@v;
        b0.d = @v * 0x10000001ul;
        b0.e = g0;
        @x = b0.c + b0.a;
        @x = b0.d;
        { struct bits b = b0; b.c = @v; b0 = b; }
        """,
        "b0.a; b0.b; b0.c; b0.d; b0.e",
    ),
    feature(
        "heap",
        "struct node { long value; struct node *next; };\nstatic struct node *head;",
        """
        { struct node *n = malloc(sizeof *n); n->value = @v; n->next = head; head = n; }
        if (head) @x = head->value;
        if (head) head->value += @v;
        if (head && head->next) @x = head->next->value;
        { long *p = calloc(2, sizeof *p); p[1] = g0; g1 = (int)p[0] + @v; @x = p[1]; free(p); }
        { int *p = malloc(4); *p = g0; p = realloc(p, 8); p[1] = g1; @x = p[0] + p[1]; free(p); }
        """,
        "head ? head->value : -1; head && head->next ? head->next->value : -1",
    ),
    feature(
        "pointers",
        """
static int *p0 = &g0;
static long inc(long v) { return v + 1; }
static long twice(long v) { return 2 * v; }
static long peek(long v) { return v + g0; }
static long (*fp)(long) = inc;
static long (*const table[3])(long) = {inc, twice, peek};
""",
        """
        p0 = &g1;
        p0 = &g0;
        *p0 = @v;
        @x = *p0;
        fp = twice;
        fp = peek;
        @x = fp(@v);
        @x = table[(unsigned)@g % 3](@v);
        """,
        "*p0; fp(3)",
    ),
    feature(
        "recursion",
        """
static long deep(int n) { return n <= 0 ? g0 : deep(n - 1) * 2 + g1; }
static void walk(int n) { if (n > 0) { walk(n - 1); g0 += n; } }
""",
        """
        @x = deep(2);
        @x = deep(@g & 1);
        walk(2);
        walk(@g & 1);
        """,
    ),
    feature(
        "stack",
        "",
        """
        *(long *)arg += @v;
        *(long *)arg = @v;
        @x = *(long *)arg;
        """,
    ),
    feature(
        "tls",
        "static _Thread_local long own = 5;\nstatic long *of_main;",
        """
        own += @g;
        @x = own;
        *of_main = @v;
        @x = *of_main;
        @x = of_main == &own;
        """,
        "own",
        "of_main = &own;",
    ),
    feature(
        "int128",
        "static __int128 h0 = 1, h1;",
        """
        h0 = (__int128)@v << 64 | @v;
        h0 += (__int128)1 << 64 | 1;
        h1 = h0;
        h0 = h1;
        @x = (long)(h0 >> 64) * 10 + (long)h0;
        """,
        "(long)(h0 >> 64); (long)h0; (long)(h1 >> 64); (long)h1",
    ),
)
