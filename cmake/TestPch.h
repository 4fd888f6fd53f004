// What most unit tests without Clang's headers include.
#include "LlvmPch.h"
#include <gtest/gtest.h>
