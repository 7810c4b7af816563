/*
 * <stdatomic.h> as gcc has it: operations take objects of any type, atomic or not. What they do is
 * the same, but that gcc adds bytes to pointers. Used for files that clang refuses because of that.
 */
#pragma once
#include_next <stdatomic.h>

#undef atomic_init
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or
#undef atomic_fetch_or_explicit
#undef atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit

/* The value of an atomic object is not atomic. */
#define IMC_ANY(object) ((__typeof__((void)0, *(object)) *)(object))

#define atomic_init(object, value) atomic_store_explicit(object, value, __ATOMIC_RELAXED)
#define atomic_store_explicit(object, value, order) __extension__({ \
    __auto_type imc_object = IMC_ANY(object); \
    __typeof__(*imc_object) imc_value = (value); \
    __atomic_store(imc_object, &imc_value, (order)); })
#define atomic_store(object, value) atomic_store_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_load_explicit(object, order) __extension__({ \
    __auto_type imc_object = IMC_ANY(object); \
    __typeof__(*imc_object) imc_value; \
    __atomic_load(imc_object, &imc_value, (order)); \
    imc_value; })
#define atomic_load(object) atomic_load_explicit(object, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(object, value, order) __extension__({ \
    __auto_type imc_object = IMC_ANY(object); \
    __typeof__(*imc_object) imc_value = (value), imc_before; \
    __atomic_exchange(imc_object, &imc_value, &imc_before, (order)); \
    imc_before; })
#define atomic_exchange(object, value) atomic_exchange_explicit(object, value, __ATOMIC_SEQ_CST)
#define IMC_COMPARE_EXCHANGE(object, expected, value, weak, order, otherwise) __extension__({ \
    __auto_type imc_object = IMC_ANY(object); \
    __typeof__(*imc_object) imc_value = (value); \
    __atomic_compare_exchange(imc_object, (void *)(expected), &imc_value, weak, (order), \
                              (otherwise)); })
#define atomic_compare_exchange_strong_explicit(object, expected, value, order, otherwise) \
    IMC_COMPARE_EXCHANGE(object, expected, value, 0, order, otherwise)
#define atomic_compare_exchange_strong(object, expected, value) \
    IMC_COMPARE_EXCHANGE(object, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(object, expected, value, order, otherwise) \
    IMC_COMPARE_EXCHANGE(object, expected, value, 1, order, otherwise)
#define atomic_compare_exchange_weak(object, expected, value) \
    IMC_COMPARE_EXCHANGE(object, expected, value, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit(object, value, order) \
    __atomic_fetch_add(IMC_ANY(object), (value), (order))
#define atomic_fetch_add(object, value) atomic_fetch_add_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(object, value, order) \
    __atomic_fetch_sub(IMC_ANY(object), (value), (order))
#define atomic_fetch_sub(object, value) atomic_fetch_sub_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(object, value, order) \
    __atomic_fetch_or(IMC_ANY(object), (value), (order))
#define atomic_fetch_or(object, value) atomic_fetch_or_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(object, value, order) \
    __atomic_fetch_xor(IMC_ANY(object), (value), (order))
#define atomic_fetch_xor(object, value) atomic_fetch_xor_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(object, value, order) \
    __atomic_fetch_and(IMC_ANY(object), (value), (order))
#define atomic_fetch_and(object, value) atomic_fetch_and_explicit(object, value, __ATOMIC_SEQ_CST)
