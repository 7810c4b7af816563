/*
 * Copies of strings that several threads use: first their end is looked for, then so many bytes are
 * copied, whatever they have become; each byte is read in an event of its own, as the verifier took
 * it. Nobody else knows of the copy before it is complete.
 */
#include "runtime.h"

#include <stdlib.h>

static char read_byte(uint32_t site, const char *place)
{
    char byte;

    irs_pass(irs_self, site);
    byte = *place;
    irs_done(irs_self);
    return byte;
}

char *irs_strdup(const char *text)
{
    uint32_t site = irs_self->site;
    size_t length = 0;
    char *copy;

    while (read_byte(site, text + length))
        length++;
    copy = malloc(length + 1);
    if (copy == NULL)
        irs_refuse("%s needs more memory than is left", irs_site_text(site));
    for (size_t at = 0; at <= length; at++)
        copy[at] = read_byte(site, text + at);
    return copy;
}
