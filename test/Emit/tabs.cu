// RUN: split-file %s %t
// RUN: %python %S/Inputs/same.py %t -- %cpr
// RUN: %cpr --variant=ldg --exit-zero -o - %t/kernel.cu 2> %t/report.LDG | FileCheck %s --strict-whitespace --check-prefix=LDG
// RUN: %python %S/../Tool/Inputs/crlf.py to-crlf %t/kernel.cu %t/crlf.cu
// RUN: %cpr --variant=ldg -o %t/crlf.out.cu %t/crlf.cu
// RUN: %python %S/../Tool/Inputs/crlf.py check %t/crlf.out.cu

// The file's own tabs and line ends, and every comment.
// LDG: {{^	}}// Prologue: the first tile.
// LDG-NEXT: {{^	}}if (n > 0) {
// LDG-NEXT: {{^		}}fetch_tile(0);
// LDG: {{^	}}for (int t = 0; t < n; ++t)
// LDG-NEXT: {{^	}}{
// LDG-NEXT: {{^		}}const int t_next = t + 1;
// LDG: {{^			}}s = s * 0.5f + buf[i];
// LDG-NEXT: {{^		}}}
// LDG-NOT: {{^ }}

//--- kernel.cu
// Tabs and Allman braces.
__global__ void __launch_bounds__(64) tabs(const float *__restrict__ in, float *__restrict__ out, int n)
{
	__shared__ float buf[64];

	float s = 0.f;
	for (int t = 0; t < n; ++t)
	{
		/* load */
		buf[threadIdx.x] = in[t * 64 + threadIdx.x];	// one each
		__syncthreads();	// loaded

		for (int i = 0; i < 64; ++i)
		{
			s = s * 0.5f + buf[i];
		}
		__syncthreads();	// used
	}
	out[threadIdx.x] = s;
}
//--- drive.h
void drive() {
  for (int n : {0, 1, 2, 3, 4, 7}) {
    float *in = data<float>(n * 64), *o = data<float>(64);
    launch(1, 64, [=] { tabs(in, o, n); });
    show("tabs", o, 64);
  }
}
