/*
 * The end of a thread. It is called where the thread's own functions are over, if values with
 * destructors are left or others may use the thread's variables: by the interpreter, and natively
 * by the run-time. Each turn is an event, the last of which is the end.
 */
typedef void destructor_function(void *);

extern int imc_next_destructor(destructor_function **destructor, void **value);

void imc_thread_end(void)
{
    destructor_function *destructor;
    void *value;

    while (imc_next_destructor(&destructor, &value))
        if (destructor)
            destructor(value);
}
