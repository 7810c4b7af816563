/* An array of structures sorted by two keys. */
#include <stdio.h>
#include <string.h>

struct person { char name[8]; unsigned char age; float height; };

static int before(const struct person *a, const struct person *b)
{
    if (a->age != b->age)
        return a->age < b->age;
    return strcmp(a->name, b->name) < 0;
}

int main(void)
{
    struct person ps[] = {
        { "Mia", 31, 1.70f }, { "Abe", 29, 1.82f }, { "Zoe", 29, 1.55f },
        { "Kim", 54, 1.64f }, { "Bob", 31, 1.78f },
    };
    int n = sizeof ps / sizeof ps[0];
    for (int i = 1; i < n; i++) {
        struct person key = ps[i];
        int j = i;
        while (j > 0 && before(&key, &ps[j - 1])) {
            ps[j] = ps[j - 1];
            j--;
        }
        ps[j] = key;
    }
    int ages = 0;
    for (int i = 0; i < n; i++) {
        printf("%-4s%3d %.2f\n", ps[i].name, ps[i].age, ps[i].height);
        ages += ps[i].age;
    }
    return ages / n;
}
