/* Structures of two floats travel in one vector register. */
#include <stdio.h>

struct vec2 { float x, y; };
struct vec3 { float x, y, z; };
struct vec4 { float v[4]; };

static struct vec2 add(struct vec2 a, struct vec2 b)
{
    return (struct vec2){ a.x + b.x, a.y + b.y };
}
static struct vec3 cross(struct vec3 a, struct vec3 b)
{
    struct vec3 r = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return r;
}
static struct vec4 scale(struct vec4 a, float k)
{
    for (int i = 0; i < 4; i++)
        a.v[i] *= k;
    return a;
}

int main(void)
{
    struct vec2 s = add((struct vec2){ 1.5f, -2.25f }, (struct vec2){ 0.5f, 10.0f });
    printf("%.2f %.2f\n", s.x, s.y);
    struct vec3 c = cross((struct vec3){ 1, 2, 3 }, (struct vec3){ 4, -5, 6 });
    printf("%g %g %g\n", c.x, c.y, c.z);
    struct vec4 q = scale((struct vec4){ { 1, 2, 4, 8 } }, 0.125f);
    printf("%g %g %g %g\n", q.v[0], q.v[1], q.v[2], q.v[3]);
    return (int)(s.y * 4) + (int)c.x;
}
