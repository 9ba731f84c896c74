int unused_kernels;
