/* <time.h>: what needs no calendar. */

double difftime(long later, long earlier)
{
    return (double)later - (double)earlier;
}
