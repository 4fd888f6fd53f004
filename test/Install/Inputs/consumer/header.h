#define HEADER
