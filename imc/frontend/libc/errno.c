/* <errno.h>: the macro errno is *__errno_location(). */

/* The interpreter sets it by this name. */
_Thread_local int imc_errno;

int *__errno_location(void)
{
    return &imc_errno;
}
