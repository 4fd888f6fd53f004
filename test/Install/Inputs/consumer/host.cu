#error compiled as CUDA
