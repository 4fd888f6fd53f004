#define SYSTEM
