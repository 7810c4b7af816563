/* The quotient of INT_MIN and -1 does not fit, for an unknown dividend too. */
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x / -1;
    return 0;
}
