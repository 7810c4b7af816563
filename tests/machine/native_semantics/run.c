/* Runs the program again and again before its main: each time in a process of its own.

   STEPPER_FIRST, _RUNS and _LIMIT in the environment say which runs, and how long. Each is one line:
   "END STATUS STEPS SWITCHES OUTPUT ERRORS", the last two in hexadecimal. */

#define _GNU_SOURCE
#include "run.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "choice.h"

struct run *run;

void finish(const char *how)
{
    for (int k = 0; how[k]; k++)
        run->end[k] = how[k];
    raw(SYS_exit_group, 0, 0, 0, 0);
    __builtin_unreachable();
}

static unsigned long long asked(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, 0, 10) : 0;
}

static void print_written(int file)
{
    unsigned char data[4096];
    ssize_t size = pread(file, data, sizeof data, 0);
    printf(" .");
    for (ssize_t k = 0; k < size; k++)
        printf("%02x", data[k]);
    close(file);
}

static void report(pid_t child, int output, int errors)
{
    int status;
    waitpid(child, &status, 0);
    const char *end = run->end[0] ? run->end : WIFEXITED(status) ? "exit" : "signal";
    int value = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    printf("%s %d %ld %ld", end, value, run->steps, run->switches);
    print_written(output);
    print_written(errors);
    printf("\n");
}

/* Whoever is on the same core is there at once when it is his turn. */
static void stay_on_one_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

__attribute__((constructor)) static void run_all(void)
{
    unsigned long long first = asked("STEPPER_FIRST"), runs = asked("STEPPER_RUNS");
    long limit = (long)asked("STEPPER_LIMIT"), longest = 0;
    run = mmap(0, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stay_on_one_core();
    for (unsigned long long k = first; k < first + runs; k++) {
        int output = memfd_create("output", MFD_CLOEXEC), errors = memfd_create("errors", MFD_CLOEXEC);
        *run = (struct run){.limit = limit};
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            choice_start(&choice, k, longest);
            dup2(output, 1);
            dup2(errors, 2);
            alarm(600); /* only ends what hangs, however busy the machine is */
            return;
        }
        report(child, output, errors);
        longest = run->noticed > longest ? run->noticed : longest;
    }
    exit(0);
}
