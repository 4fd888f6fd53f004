#ifndef program_EXPORTS
#error a program that exports says so
#endif
int main() { return 0; }
