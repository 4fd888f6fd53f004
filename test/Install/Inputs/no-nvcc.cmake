# CMake's side of CUDA without a CUDA compiler: what CMake would have asked nvcc for is told here. The
# program named as the compiler fails whenever it is run; a check compiles nothing.
if(NOT DEFINED CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER "${CMAKE_CURRENT_LIST_DIR}/no-nvcc.sh")
endif()
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.4)
# The host compiler's link line is read out of nvcc's output.
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "#$ LIBRARIES= -L/none\n#$ c++ -L/none -lcudart_static\n")
