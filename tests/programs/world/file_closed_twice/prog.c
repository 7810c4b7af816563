/* Two threads close the same stream. */
#include <pthread.h>
#include <stdio.h>

static FILE *log_file;

static void *finish(void *unused)
{
    fprintf(log_file, "done\n");
#ifndef ONCE
    fclose(log_file);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;

    log_file = fopen("log", "w");
    if (!log_file)
        return 1;
    pthread_create(&thread, NULL, finish, NULL);
    finish(NULL);
    pthread_join(thread, NULL);
#ifdef ONCE
    fclose(log_file);
#endif
    return 0;
}
