// What tests ask the fake driver of fake_cuda.c besides CUDA's own functions.
#ifndef LC_TESTS_FAKE_CUDA_H
#define LC_TESTS_FAKE_CUDA_H

__attribute__((visibility("default"))) long fake_context_depth(void);
__attribute__((visibility("default"))) long fake_compilations(void);
__attribute__((visibility("default"))) long fake_used_bytes(void);

#endif
