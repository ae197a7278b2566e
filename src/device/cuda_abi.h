// Declarations of the CUDA driver API and NVRTC that lightcone calls. They replace NVIDIA's
// headers, so the build needs no CUDA. Names are NVIDIA's own. tests/cuda_abi.c compares all
// declarations with NVIDIA's headers where they are installed.
#ifndef LC_DEVICE_CUDA_ABI_H
#define LC_DEVICE_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "device/cuda_constants.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef uint64_t cuuint64_t;

// Compilers for Linux represent an enumeration without negative values as unsigned int.
typedef unsigned int CUresult;
typedef unsigned int CUdevice_attribute;
typedef unsigned int CUfunction_attribute;
typedef unsigned int CUjit_option;
typedef unsigned int CUstreamCaptureMode;
typedef unsigned int CUarray_format;
typedef unsigned int CUmemorytype;
typedef unsigned int CUresourcetype;
typedef unsigned int CUaddress_mode;
typedef unsigned int CUfilter_mode;

#include "device/cuda_structs.h"

typedef struct _nvrtcProgram *nvrtcProgram;
typedef unsigned int nvrtcResult;

enum {
#define LC_CUDA_ENUM(name, value) name = value,
    LC_CUDA_CONSTANTS(LC_CUDA_ENUM)
#undef LC_CUDA_ENUM
};

#endif
