#pragma once

// CUDA's words and types, in the emulation.

#include <cstddef>
#include <memory>  // says __noinline__ itself, and so has to come before the word has CUDA's meaning

#define __global__
#define __device__
#define __host__
// Blocks run one after another: one copy is enough. In sections of their own such arrays can be found, to be filled
// with a pattern before a block begins (see shared.cpp). g++ puts those of templates elsewhere, and AddressSanitizer
// watches the bounds of none that has a section.
#if defined(__SANITIZE_ADDRESS__) || !defined(__linux__)
#define __shared__ static
#else
#define CUDA_EMULATION_SECTION_OF(n) "cuda_emulation_shared." #n
#define CUDA_EMULATION_SECTION(n) CUDA_EMULATION_SECTION_OF(n)
#define __shared__ static __attribute__((section(CUDA_EMULATION_SECTION(__COUNTER__))))
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

#define CUDA_EMULATION_VECTORS(type, name, align2, align4)                              \
  struct name##1 {                                                                      \
    type x;                                                                             \
  };                                                                                    \
  struct alignas(align2) name##2 {                                                      \
    type x, y;                                                                          \
  };                                                                                    \
  struct name##3 {                                                                      \
    type x, y, z;                                                                       \
  };                                                                                    \
  struct alignas(align4) name##4 {                                                      \
    type x, y, z, w;                                                                    \
  };                                                                                    \
  inline constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  inline constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  inline constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

CUDA_EMULATION_VECTORS(int, int, 8, 16)
CUDA_EMULATION_VECTORS(unsigned, uint, 8, 16)
CUDA_EMULATION_VECTORS(float, float, 8, 16)
CUDA_EMULATION_VECTORS(double, double, 16, 16)
CUDA_EMULATION_VECTORS(long long, longlong, 16, 16)
CUDA_EMULATION_VECTORS(unsigned long long, ulonglong, 16, 16)
CUDA_EMULATION_VECTORS(unsigned char, uchar, 2, 4)
CUDA_EMULATION_VECTORS(unsigned short, ushort, 4, 8)
#undef CUDA_EMULATION_VECTORS

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1) : x(width), y(height), z(depth) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

// Numbers as CUDA's.
enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInsufficientDriver = 35,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorJitCompilerNotFound = 221,
  cudaErrorUnsupportedPtxVersion = 222,
  cudaErrorJitCompilationDisabled = 223,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorSystemNotReady = 802,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureUnmatched = 903,
  cudaErrorStreamCaptureUnjoined = 904,
  cudaErrorStreamCaptureIsolation = 905,
  cudaErrorUnknown = 999,
};
using cudaError_t = cudaError;

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;

#define CUDART_CB
using cudaHostFn_t = void (*)(void*);

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};

inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
inline constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2;

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  union {
    char pad[64];
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  std::size_t reservedSharedMemPerBlock;
  int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;
  int maxBlocksPerMultiProcessor, regsPerBlock, regsPerMultiprocessor, l2CacheSize, memoryBusWidth;
  int maxThreadsDim[3], maxGridSize[3];
  int unifiedAddressing, canMapHostMemory, concurrentKernels, integrated, asyncEngineCount, ECCEnabled;
  int pciBusID, pciDeviceID, pciDomainID;
};
