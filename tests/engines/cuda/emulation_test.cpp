// Kernels in the emulation: the smallest that need each of its parts. Streams and memory: emulation_calls_test.cpp.
// Only in the emulated program: these kernels are C++, there is nothing of them for a GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "emulation_start.hpp"

namespace lamella::cuda {
namespace {

using Emulation = test::CudaTest;
using EmulationDeathTest = test::CudaTest;
using test::OnDevice;
using test::start;

std::vector<unsigned> counting(std::size_t count) {
  std::vector<unsigned> values(count);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

template <class... Args>
void start_and_wait(Args... args) {
  EXPECT_EQ(start(args...), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void sum_by_shuffles(const unsigned* in, unsigned* out) {
  unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned step = kWarp / 2; step != 0; step /= 2) value += __shfl_xor_sync(kAllLanes, value, step);
  if (threadIdx.x % kWarp == 0) atomicAdd(out, value);
}

TEST_F(Emulation, ShufflesSumAWarp) {
  const OnDevice<unsigned> in(counting(4 * 64));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    cuda_emulation::set_schedule(seed);
    const OnDevice<unsigned> out(std::vector<unsigned>{0});
    ASSERT_EQ(start(4, 64, 0, nullptr, sum_by_shuffles, in.get(), out.get()), cudaSuccess);
    EXPECT_EQ(out.read()[0], 256u * 257u / 2u);
  }
}

__global__ void vote_of_block(const int* votes, int* out) {
  const int first = __syncthreads_or(votes[threadIdx.x]), second = __syncthreads_or(threadIdx.x == 70 ? 1 : 0);
  const int third = __syncthreads_or(0);
  out[threadIdx.x] = first + 2 * second + 4 * third;
}

TEST_F(Emulation, ABarrierCountsTheVotesOfItsOwnTurn) {
  for (const int vote : {0, 1}) {
    std::vector<int> votes(96);
    votes[33] = vote;
    const OnDevice<int> in(votes), out(96);
    ASSERT_EQ(start(1, 96, 0, nullptr, vote_of_block, in.get(), out.get()), cudaSuccess);
    EXPECT_EQ(out.read(), std::vector<int>(96, vote + 2));
  }
}

__global__ void shuffle_kinds(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_up_sync(kAllLanes, lane, 3u);
  out[32 + lane] = __shfl_down_sync(kAllLanes, lane, 3u, 8);
  out[64 + lane] = __shfl_sync(kAllLanes, lane, lane + 9, 16);
  out[96 + lane] = static_cast<int>(__shfl_sync(kAllLanes, 1.5 * lane, 31 - lane));
  const unsigned odd = 0xaaaaaaaau;
  out[128 + lane] = lane % 2 == 0 ? 0 : __shfl_xor_sync(odd, lane, 1);  // reads lanes that do not take part
}

TEST_F(Emulation, ShufflesReadTheLanesThatCudaDefines) {
  const OnDevice<int> out(160);
  ASSERT_EQ(start(1, 32, 0, nullptr, shuffle_kinds, out.get()), cudaSuccess);
  const std::vector<int> got = out.read();
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane], lane < 3 ? lane : lane - 3);
    EXPECT_EQ(got[32 + lane], lane % 8 < 5 ? lane + 3 : lane);
    EXPECT_EQ(got[64 + lane], lane / 16 * 16 + (lane + 9) % 16);
    EXPECT_EQ(got[96 + lane], static_cast<int>(1.5 * (31 - lane)));
    EXPECT_EQ(static_cast<unsigned>(got[128 + lane]), lane % 2 == 0 ? 0u : 0xBDBDBDBDu);
  }
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned upper = 0xffff0000u;
  out[lane] = __ballot_sync(kAllLanes, lane % 3 == 0);
  if (lane >= 16) out[lane] = __ballot_sync(upper, lane % 3 == 0) ^ __reduce_add_sync(upper, 1u);
  out[32 + lane] = static_cast<unsigned>(__any_sync(kAllLanes, lane == 7) * 2 + __all_sync(kAllLanes, lane != 7));
  out[64 + lane] = static_cast<unsigned>(__reduce_min_sync(kAllLanes, 5 - static_cast<int>(lane)));
  out[96 + lane] = __reduce_max_sync(kAllLanes, 5u - lane) ^ __reduce_or_sync(kAllLanes, 1u << lane);
}

TEST_F(Emulation, VotesAndReductionsCountTheLanesOfTheirMask) {
  const OnDevice<unsigned> out(128);
  ASSERT_EQ(start(1, 32, 0, nullptr, votes, out.get()), cudaSuccess);
  const std::vector<unsigned> got = out.read();
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane], lane < 16 ? 0x49249249u : 0x49240000u ^ 16u);
    EXPECT_EQ(got[32 + lane], 2u);
    EXPECT_EQ(got[64 + lane], static_cast<unsigned>(-26));
    EXPECT_EQ(got[96 + lane], 0u);  // 5 - 6 wraps to all bits, as the union of all lanes
  }
}

template <bool kWithBarrier>
__global__ void block_scan(const unsigned* in, unsigned* out) {
  auto* sums = dynamic_shared<unsigned>();
  const unsigned i = threadIdx.x, at = blockIdx.x * blockDim.x + i;
  sums[i] = in[at];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const unsigned add = i >= step ? sums[i - step] : 0;
    if (kWithBarrier) __syncthreads();
    sums[i] += add;
    __syncthreads();
  }
  out[at] = sums[i];
}

std::vector<unsigned> scanned(bool with_barrier, std::uint64_t seed) {
  cuda_emulation::set_schedule(seed);
  const OnDevice<unsigned> in(counting(2 * 256)), out(2 * 256);
  EXPECT_EQ(start(2, 256, 256 * sizeof(unsigned), nullptr, with_barrier ? block_scan<true> : block_scan<false>,
                  in.get(), out.get()),
            cudaSuccess);
  return out.read();
}

TEST_F(Emulation, BarriersMakeABlockScan) {
  std::vector<unsigned> expected = counting(2 * 256);
  std::partial_sum(expected.begin(), expected.begin() + 256, expected.begin());
  std::partial_sum(expected.begin() + 256, expected.end(), expected.begin() + 256);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(scanned(true, seed), expected);
}

TEST_F(Emulation, AMissingBarrierShowsAndOneScheduleIsAlwaysTheSame) {
  EXPECT_NE(scanned(false, 1), scanned(true, 1));
  EXPECT_NE(scanned(false, 1), scanned(false, 2));
  EXPECT_EQ(scanned(false, 1), scanned(false, 1));
}

__global__ void histogram(const unsigned* in, unsigned count, unsigned* bins, unsigned* largest, double* total) {
  __shared__ unsigned local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    atomicAdd(&local[in[i] % 8], 1u);
    atomicMax(largest, in[i]);
    atomicAdd(total, 1.0);
  }
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

TEST_F(Emulation, AtomicsMakeAHistogram) {
  const OnDevice<unsigned> in(counting(1000)), bins(std::vector<unsigned>(8)), largest(std::vector<unsigned>(1));
  const OnDevice<double> total(std::vector<double>{0.5});
  ASSERT_EQ(start(8, 128, 0, nullptr, histogram, in.get(), 1000u, bins.get(), largest.get(), total.get()), cudaSuccess);
  EXPECT_EQ(bins.read(), std::vector<unsigned>(8, 125));
  EXPECT_EQ(largest.read()[0], 1000u);
  EXPECT_EQ(total.read()[0], 1000.5);
}

__global__ void spin(unsigned* flag, unsigned* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(flag, 1u, 2u) != 1u) {
    }
    *out = 7;
  } else if (threadIdx.x == 63) {
    atomicExch(flag, 1u);
  }
}

TEST_F(Emulation, AThreadThatSpinsLetsOthersGoOn) {
  const OnDevice<unsigned> flag(std::vector<unsigned>{0}), out(std::vector<unsigned>{0});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    cuda_emulation::set_schedule(seed);
    ASSERT_EQ(cudaMemset(flag.get(), 0, 4), cudaSuccess);
    ASSERT_EQ(start(1, 64, 0, nullptr, spin, flag.get(), out.get()), cudaSuccess);
    EXPECT_EQ(flag.read()[0], 2u);
  }
}

__global__ void early_ends(unsigned* out) {
  if (threadIdx.x % 2 == 1) return;
  __syncthreads();
  atomicAdd(out, 1u);
}

TEST_F(Emulation, ThreadsThatEndedDoNotCountAtABarrier) {
  const OnDevice<unsigned> out(std::vector<unsigned>{0});
  ASSERT_EQ(start(3, 64, 0, nullptr, early_ends, out.get()), cudaSuccess);
  EXPECT_EQ(out.read()[0], 96u);
}

__global__ void warp_without_lane() {
  if (threadIdx.x == 5) return;
  __syncwarp();
}
__global__ void two_barriers() {
  if (threadIdx.x == 5) {
    __syncthreads();
  } else {
    __ballot_sync(kAllLanes, 1);
  }
}
__global__ void divergent_barrier() {
  if (threadIdx.x == 5) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}
__global__ void lane_outside_of_mask() { __any_sync(1u, 1); }

TEST_F(EmulationDeathTest, BarriersThatCannotBeCompleteEndTheProgramAndSayWhoWaits) {
  EXPECT_DEATH(start_and_wait(1, 32, 0, cudaStream_t{}, warp_without_lane), "__syncwarp.*\n.*thread 5 has ended");
  EXPECT_DEATH(start_and_wait(1, 32, 0, cudaStream_t{}, two_barriers),
               "__ballot_sync with mask 0xffffffff.*emulation_test.cpp:.*\n.*thread 5 waits at __syncthreads");
  EXPECT_DEATH(start_and_wait(1, 32, 0, cudaStream_t{}, divergent_barrier), "__syncthreads of different places");
  EXPECT_DEATH(start_and_wait(1, 32, 0, cudaStream_t{}, lane_outside_of_mask),
               "__any_sync with mask 0x00000001.*not in it");
}

__global__ void write_past_the_end(unsigned* out) { out[1024] = 1; }

TEST_F(EmulationDeathTest, WritingBehindDeviceMemoryEndsTheProgram) {
  const OnDevice<unsigned> out(1024);
  EXPECT_DEATH(start_and_wait(1, 1, 0, cudaStream_t{}, write_past_the_end, out.get()), "");
}

TEST_F(EmulationDeathTest, TheHostCannotTouchDeviceMemory) {
  const OnDevice<unsigned> out(1024);
  EXPECT_DEATH(*out.get() = 1, "");
}

__global__ void wait_for_nothing(unsigned* flag) {
  while (atomicCAS(flag, 1u, 2u) != 1u) {
  }
}

TEST_F(EmulationDeathTest, WaitingInALoopForNothingEndsTheProgram) {
  const OnDevice<unsigned> flag(std::vector<unsigned>{0});
  EXPECT_DEATH(start_and_wait(1, 2, 0, cudaStream_t{}, wait_for_nothing, flag.get()), "waits in a loop");
}

__global__ void look_at_array(unsigned* out) {
  __shared__ unsigned array[4];
  out[blockIdx.x] = array[3];
  array[3] = 1;
}

__global__ void look(unsigned* out) { *out = dynamic_shared<unsigned>()[0]; }

TEST_F(Emulation, FreshMemoryIsFilledWithAPattern) {
  const OnDevice<unsigned> memory(1), shared(1);
  EXPECT_EQ(memory.read()[0], 0xABABABABu);
  ASSERT_EQ(start(1, 1, 4, nullptr, look, shared.get()), cudaSuccess);
  EXPECT_EQ(shared.read()[0], 0xCDCDCDCDu);
}

TEST_F(Emulation, BlocksSeeNothingOfEarlierBlocksInSharedArrays) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "shared arrays cannot be found under AddressSanitizer";
#endif
  const OnDevice<unsigned> out(4);
  ASSERT_EQ(start(4, 1, 0, nullptr, look_at_array, out.get()), cudaSuccess);
  EXPECT_EQ(out.read(), std::vector<unsigned>(4, 0xCDCDCDCDu));
}

TEST_F(Emulation, RoundingIsToEvenAndStaysInRange) {
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(3.5f), 4);
  EXPECT_EQ(__float2int_rn(-1e20f), INT_MIN);
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2ll_rn(-0.75f), -1);
  EXPECT_EQ(__float2ll_rn(1e30f), LLONG_MAX);
  EXPECT_EQ(__float2ll_rn(NAN), LLONG_MIN);
}

}  // namespace
}  // namespace lamella::cuda
