volatile int flag; char buf[2];
int main(void){ while(!flag) for(int i=0;i<2;i++) buf[i]=1; return 0; }
