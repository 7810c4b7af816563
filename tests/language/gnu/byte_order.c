/* Numbers as networks have them. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[4];
    uint32_t wide = htonl(0x01020304);
    uint16_t narrow = htons(0xfffe);

    memcpy(bytes, &wide, sizeof wide);
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    memcpy(bytes, &narrow, sizeof narrow);
    printf("%d %d\n", bytes[0], bytes[1]);
    printf("%x %x\n", ntohl(wide), ntohs(narrow));
    return ntohs(htons(7)) + ntohl(htonl(5));
}
