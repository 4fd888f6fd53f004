#pragma once

__device__ inline float scaled(float x) { return 0.5f * x + 1.0f; }
