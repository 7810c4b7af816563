void deposit(int more);
int balance(void);
