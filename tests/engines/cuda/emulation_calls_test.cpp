// Calls of the host in the emulation: streams, graphs, memory, and what fails.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "emulation_start.hpp"

namespace lamella::cuda {
namespace {

using Emulation = test::CudaTest;
using test::OnDevice;
using test::start;

__global__ void look(unsigned* out) { *out = dynamic_shared<unsigned>()[0]; }
__global__ void twice(unsigned* value) { *value *= 2; }

TEST_F(Emulation, GraphsRunWhenTheyAreLaunchedAndNotBefore) {
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), cudaSuccess);
  const OnDevice<unsigned> value(std::vector<unsigned>{3}), copy(std::vector<unsigned>{0});
  const std::uint64_t before = cuda_emulation::launches();

  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(start(1, 1, 0, stream, twice, value.get()), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(copy.get(), value.get(), 4, cudaMemcpyDeviceToDevice, side), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(value.read()[0], 3u);

  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value.read()[0], 24u);
  EXPECT_EQ(copy.read()[0], 24u);
  EXPECT_EQ(cuda_emulation::launches() - before, 3u);
  cudaGraphExecDestroy(executable);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(side);
  cudaStreamDestroy(stream);
}

TEST_F(Emulation, CapturesRefuseWhatCudaRefuses) {
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t fork = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  cudaEventDestroy(fork);
  cudaStreamDestroy(side);
  cudaStreamDestroy(stream);
}

TEST_F(Emulation, DeferredWorkRunsWhenSomebodyWaitsForIt) {
  cuda_emulation::set_deferred(true);
  cudaStream_t stream = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  const OnDevice<unsigned> value(std::vector<unsigned>{3});
  const auto peek = [&] {  // without waiting for any other stream
    unsigned now = 0;
    EXPECT_EQ(cudaMemcpy(&now, value.get(), sizeof now, cudaMemcpyDeviceToHost), cudaSuccess);
    return now;
  };
  ASSERT_EQ(start(1, 1, 0, stream, twice, value.get()), cudaSuccess);
  EXPECT_EQ(peek(), 3u);  // the default stream does not wait for this one
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(start(1, 1, 0, stream, twice, value.get()), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(peek(), 6u);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(peek(), 12u);
  cudaEventDestroy(event);
  cudaStreamDestroy(other);
  cudaStreamDestroy(stream);
}

TEST_F(Emulation, MemoryEndsWhereTheLimitIs) {
  const std::size_t before = cuda_emulation::memory_in_use();
  cuda_emulation::set_memory_limit(before + 1000);
  void *a = nullptr, *b = nullptr;
  EXPECT_EQ(cudaMalloc(&a, 600), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&b, 600), cudaErrorMemoryAllocation);
  EXPECT_EQ(b, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 400u);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&b, 600), cudaSuccess);
  EXPECT_EQ(cudaFree(b), cudaSuccess);
  EXPECT_EQ(cuda_emulation::memory_in_use(), before);
}

TEST_F(Emulation, CallsFailWhenTheyAreToldTo) {
  cuda_emulation::fail(cuda_emulation::Call::launch, 1, 1, cudaErrorLaunchFailure);
  const OnDevice<unsigned> value(std::vector<unsigned>{3});
  EXPECT_EQ(start(1, 1, 0, nullptr, twice, value.get()), cudaSuccess);
  EXPECT_EQ(start(1, 1, 0, nullptr, twice, value.get()), cudaErrorLaunchFailure);
  EXPECT_EQ(start(1, 1, 0, nullptr, twice, value.get()), cudaSuccess);
  EXPECT_EQ(value.read()[0], 12u);
  cuda_emulation::fail_next_allocations(1);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Emulation, LaunchesAreRefusedThatADeviceRefuses) {
  const OnDevice<unsigned> value(std::vector<unsigned>{3});
  EXPECT_EQ(start(1, 1025, 0, nullptr, twice, value.get()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start(0, 32, 0, nullptr, twice, value.get()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start(1, 32, 49 << 10, nullptr, look, value.get()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(look, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(look, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10), cudaSuccess);
  EXPECT_EQ(start(1, 32, 49 << 10, nullptr, look, value.get()), cudaSuccess);
  EXPECT_EQ(value.read()[0], 0xCDCDCDCDu);
}

TEST_F(Emulation, CopiesBeyondAnAllocationAreRefused) {
  const OnDevice<unsigned> value(4);
  std::vector<unsigned> host(8);
  EXPECT_EQ(cudaMemcpy(value.get(), host.data(), 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + 4, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(value.get() + 1, 0, 16), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace lamella::cuda
