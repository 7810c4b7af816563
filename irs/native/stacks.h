/* From one stack to another: the part of fibers.c that depends on the machine. */
#ifndef IRS_STACKS_H
#define IRS_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)

enum { THREAD_POINTER_WRITABLE = 2 }; /* of AT_HWCAP2 */

#ifdef __AVX512F__
#define MORE_REGISTERS                                                                             \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7",
#else
#define MORE_REGISTERS
#endif

/* Saves what the compiler does not; the one who goes on there does the rest of it. */
static inline void change_stack(void **from, void *to)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n" /* below it the compiler may keep something */
                     "pushq %%rbp\n"
                     "leaq 1f(%%rip), %%rax\n"
                     "pushq %%rax\n"
                     "movq %%rsp, (%%rdi)\n"
                     "movq %%rsi, %%rsp\n"
                     "popq %%rax\n"
                     "jmpq *%%rax\n" /* nobody has called from here, so a return is slower */
                     "1: popq %%rbp\n"
                     "leaq 128(%%rsp), %%rsp\n"
                     : "+D"(from), "+S"(to)::"rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11",
                       "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15", MORE_REGISTERS "memory", "cc");
}

static inline void set_thread_pointer(void *pointer)
{
    __asm__ volatile("wrfsbase %0" ::"r"(pointer) : "memory");
}

static void *thread_pointer(void)
{
    void *found;

    __asm__("movq %%fs:0, %0" : "=r"(found));
    return found;
}

/* The way back of calls is kept twice where the system asks for it, and would not fit. */
static bool has_shadow_stack(void)
{
    uint64_t top = 0;

    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8" : "+a"(top)); /* rdsspq %rax */
    return top != 0;
}

/* Why this machine cannot do it, with or without thread pointers; NULL: it can. */
static const char *obstacle(bool with_pointers)
{
    if (with_pointers && !(getauxval(AT_HWCAP2) & THREAD_POINTER_WRITABLE))
        return "the system does not let programs set their thread pointer";
    if (has_shadow_stack())
        return "the system keeps a shadow stack for each thread";
    return NULL;
}

/* A stack on which change_stack comes to the beginning of a function, which has no caller. */
static void **prepared(char *top, void (*function)(void))
{
    void **frame = (void **)((uintptr_t)top & ~(uintptr_t)15) - 2;

    frame[0] = (void *)function;
    frame[1] = NULL;
    return frame;
}

#else

static void change_stack(void **from, void *to) { abort(); }
static void set_thread_pointer(void *pointer) { abort(); }
static void *thread_pointer(void) { return NULL; }
static const char *obstacle(bool with_pointers) { return "fibers are for Linux on x86-64, with glibc"; }
static void **prepared(char *top, void (*function)(void)) { return NULL; }

#endif

#endif
