/* A global table of handlers with forward-declared functions. */
#include <stdio.h>
#include <string.h>

static int cmd_push(int), cmd_double(int), cmd_help(int);

static struct command {
    const char *name;
    int (*run)(int);
    int argument;
    unsigned uses;
} commands[] = {
    { "push", cmd_push, 5, 0 },
    { "double", cmd_double, -1, 0 },
    { "help", &cmd_help, 0, 0 },
    { NULL, NULL, 0, 0 },
};
static int accumulator = 3;

static int cmd_push(int n) { return accumulator += n; }
static int cmd_double(int n) { return accumulator *= -2 * n; }
static int cmd_help(int n)
{
    for (struct command *c = commands; c->name; c++)
        printf("%s/%u ", c->name, c->uses);
    putchar('\n');
    return n;
}

static int run(const char *name)
{
    for (struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) {
            c->uses++;
            return c->run(c->argument);
        }
    return -1;
}

int main(void)
{
    static const char *const script[] = { "push", "double", "jump", "double", "push", "help" };
    for (int i = 0; i < 6; i++)
        printf("%s %d\n", script[i], run(script[i]));
    return accumulator;
}
