#include "engines/cuda/runtime.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "engines/cuda/code.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/cuda/uploaded_mesh.hpp"
#include "lamella/error.hpp"
#include "support/cuda.hpp"
#include "support/errors.hpp"

namespace lamella::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kPebibyte = std::size_t{1} << 50;

using test::error_of;

class CudaRuntime : public test::CudaTest {};

TEST_F(CudaRuntime, MemoryStaysWhereItIsUntilMoreIsAskedFor) {
  for (const auto kind : {Memory::Kind::device, Memory::Kind::host}) {
    Memory memory(kind);
    EXPECT_EQ(memory.data(), nullptr);
    EXPECT_FALSE(memory.reserve(0, "nothing"));
    EXPECT_TRUE(memory.reserve(1000, "a test"));
    void* const first = memory.data();
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(memory.bytes(), 1024u) << "in units of 256";
    EXPECT_FALSE(memory.reserve(10, "a test"));
    EXPECT_FALSE(memory.reserve(memory.bytes(), "a test"));
    EXPECT_EQ(memory.data(), first);
    const std::size_t more = memory.bytes() + 1;
    EXPECT_TRUE(memory.reserve(more, "a test"));
    EXPECT_GE(memory.bytes(), more);
    memory.release();
    EXPECT_EQ(memory.data(), nullptr);
    EXPECT_EQ(memory.bytes(), 0u);
    EXPECT_TRUE(memory.reserve(1, "a test")) << "usable after release";
  }
}

TEST_F(CudaRuntime, MemoryThatGrowsGrowsAheadButStartsAsAskedFor) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  Memory memory(Memory::Kind::device);
  memory.reserve(kMebibyte, "a test");
  EXPECT_EQ(memory.bytes(), kMebibyte);
  memory.reserve(kMebibyte + 1, "a test");
  EXPECT_EQ(memory.bytes(), kMebibyte * 5 / 4);
  memory.reserve(2 * kMebibyte - 100, "a test");
  EXPECT_EQ(memory.bytes(), 2 * kMebibyte) << "more than a quarter is needed";
}

TEST_F(CudaRuntime, MemoryCanBeMoved) {
  Memory first(Memory::Kind::device);
  first.reserve(100, "a test");
  void* const data = first.data();
  Memory second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT: what is left must not free it again
  Memory third(Memory::Kind::host);
  third.reserve(10, "a test");
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_GE(third.bytes(), 100u);
  EXPECT_EQ(second.bytes(), 0u);  // NOLINT
}

TEST_F(CudaRuntime, AMeshOfSeveralPiecesIsUploadedWhole) {
  const OwnStream stream;
  Workers workers(2);
  UploadedMesh mesh(stream.get(), workers);
  EXPECT_THAT(error_of([&] { (void)mesh.on_device(); }).what(), HasSubstr("not on the GPU"));
  // Two pieces and a bit, then a few, then one piece exactly.
  for (const std::size_t count : {(std::size_t{1} << 19) + 5, std::size_t{7}, std::size_t{1} << 18}) {
    SCOPED_TRACE(testing::Message() << count << " vertices");
    std::vector<Vec3> positions(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i);
      positions[i] = {x, -x, 0.5f * x};
    }
    const auto last = static_cast<std::uint32_t>(count - 1);
    const std::vector<Triangle> triangles{{0, 1, last}, {last, 2, 3}};
    mesh.assign({positions, triangles});
    const auto expect_there = [&] {
      const DeviceMesh there = mesh.on_device();
      ASSERT_EQ(there.vertex_count, count);
      ASSERT_EQ(there.triangle_count, 2u);
      std::vector<Vec3> read(count);
      std::vector<Triangle> read_triangles(2);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_EQ(cudaMemcpy(read.data(), there.positions, count * sizeof(Vec3), cudaMemcpyDeviceToHost), cudaSuccess);
      ASSERT_EQ(cudaMemcpy(read_triangles.data(), there.triangles, 2 * sizeof(Triangle), cudaMemcpyDeviceToHost),
                cudaSuccess);
      EXPECT_TRUE(read == positions);
      EXPECT_TRUE(read_triangles == triangles);
      EXPECT_TRUE(std::equal(positions.begin(), positions.end(), mesh.positions().begin(), mesh.positions().end()));
      EXPECT_EQ(mesh.facts().box, bounds(MeshView{positions, triangles}));
      EXPECT_TRUE(mesh.facts().usable);
    };
    expect_there();
    for (Vec3& p : positions) p.x += 1;
    mesh.assign_positions(positions);
    expect_there();
    positions.back().z = NAN;
    mesh.assign_positions(positions);
    EXPECT_FALSE(mesh.facts().usable);
  }
  const std::vector<Vec3> few(3);
  EXPECT_THROW(mesh.assign({few, std::vector<Triangle>{{0, 1, 3}}}), Error);
}

TEST_F(CudaRuntime, TooMuchMemoryIsAnErrorThatSaysHowMuchForWhatAndMemoryCanBeUsedOn) {
  Memory memory(Memory::Kind::device);
  memory.reserve(100, "a test");
  const Error error = error_of([&] { memory.reserve(kPebibyte, "the crossings"); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("1073741824.0 MiB for the crossings"), HasSubstr("MiB are free"),
                                  HasSubstr("resolution"), HasSubstr("max_crossings")));
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_EQ(memory.bytes(), 0u);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "the next call must not be blamed";
  EXPECT_TRUE(memory.reserve(100, "a test"));
}

TEST_F(CudaRuntime, TooMuchPinnedMemoryIsAnErrorAsWell) {
  Memory memory(Memory::Kind::host);
  const Error error = error_of([&] { memory.reserve(kPebibyte, "the spans"); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("host memory"), HasSubstr("1073741824.0 MiB for the spans")));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_TRUE(memory.reserve(100, "a test"));
}

TEST_F(CudaRuntime, SizesBeyondAllMemoryDoNotWrapAround) {
  Memory memory(Memory::Kind::device);
  EXPECT_THROW(memory.reserve(SIZE_MAX, "everything"), Error);
  DeviceArray<std::uint64_t> array;
  EXPECT_THROW(array.reserve((std::size_t{1} << 61) + 1, "eight times that"), Error);
  EXPECT_EQ(array.capacity(), 0u);
  EXPECT_TRUE(array.reserve(10, "a test"));
  EXPECT_GE(array.capacity(), 10u);
}

/// Copies a number through the device, by a graph.
struct Relay {
  Relay() {
    for (auto* numbers : {&in, &out}) {
      numbers->reserve(1, "a test");
      *numbers->data() = 0;
    }
    between.reserve(1, "a test");
  }
  void put_on(cudaStream_t on) const {
    check(cudaMemcpyAsync(between.data(), in.data(), sizeof(int), cudaMemcpyHostToDevice, on), "copy in");
    check(cudaMemcpyAsync(out.data(), between.data(), sizeof(int), cudaMemcpyDeviceToHost, on), "copy out");
  }
  int replayed(const Graph& graph, int value) const {
    *in.data() = value;
    graph.launch(stream.get());
    check(cudaStreamSynchronize(stream.get()), "wait");
    return *out.data();
  }

  PinnedArray<int> in, out;
  DeviceArray<int> between;
  OwnStream stream;
};

TEST_F(CudaRuntime, AGraphIsReplayedWithWhatIsInMemoryThen) {
  const Relay relay;
  Graph graph;
  EXPECT_TRUE(graph.empty());
  *relay.in.data() = 1;
  graph.capture([&](cudaStream_t on) { relay.put_on(on); });
  EXPECT_FALSE(graph.empty());
  EXPECT_EQ(*relay.out.data(), 0) << "capturing must run nothing";
  EXPECT_EQ(relay.replayed(graph, 2), 2);
  EXPECT_EQ(relay.replayed(graph, 3), 3);
}

TEST_F(CudaRuntime, ACaptureReplacesTheOneBefore) {
  const Relay relay;
  Graph graph;
  graph.capture([&](cudaStream_t on) { relay.put_on(on); });
  graph.capture([&](cudaStream_t on) {
    check(cudaMemsetAsync(relay.between.data(), 0, sizeof(int), on), "clear");
    check(cudaMemcpyAsync(relay.out.data(), relay.between.data(), sizeof(int), cudaMemcpyDeviceToHost, on), "copy");
  });
  *relay.out.data() = 7;
  EXPECT_EQ(relay.replayed(graph, 5), 0);
  graph.clear();
  EXPECT_TRUE(graph.empty());
}

TEST_F(CudaRuntime, ACaptureThatThrowsLeavesAnEmptyGraphAndCanBeRepeated) {
  const Relay relay;
  Graph graph;
  graph.capture([&](cudaStream_t on) { relay.put_on(on); });
  const auto failing = [&](cudaStream_t on) {
    relay.put_on(on);
    throw std::runtime_error("in the middle");
  };
  try {
    graph.capture(failing);
    FAIL() << "must throw";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "in the middle");
  }
  EXPECT_TRUE(graph.empty());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_THROW(graph.launch(relay.stream.get()), Error) << "there is nothing to launch";
  graph.capture([&](cudaStream_t on) { relay.put_on(on); });
  EXPECT_EQ(relay.replayed(graph, 4), 4);
}

TEST_F(CudaRuntime, OtherThreadsMayAllocateDuringACapture) {
  const Relay relay;
  Graph graph;
  bool allocated = false;
  graph.capture([&](cudaStream_t on) {
    relay.put_on(on);
    std::thread([&] {
      Memory memory(Memory::Kind::device);
      allocated = memory.reserve(1000, "another thread");
    }).join();
    relay.put_on(on);
  });
  EXPECT_TRUE(allocated);
  EXPECT_EQ(relay.replayed(graph, 6), 6);
}

TEST_F(CudaRuntime, TimedEventsTellHowLongWorkTook) {
  const Relay relay;
  Event begin(true), end(true);
  begin.record(relay.stream.get());
  relay.put_on(relay.stream.get());
  end.record(relay.stream.get());
  end.wait();
  const float ms = end.since(begin);
  EXPECT_TRUE(std::isfinite(ms) && ms >= 0) << ms;
  Event untimed;
  untimed.record(relay.stream.get());
  untimed.wait();
}

TEST_F(CudaRuntime, AScopePutsBackWhatWasCurrent) {
  int before = -1;
  ASSERT_EQ(cudaGetDevice(&before), cudaSuccess);
  const auto current = [] {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    return device;
  };
  for (const DeviceFacts& facts : devices().facts) {
    {
      const DeviceScope scope(facts.number);
      EXPECT_EQ(current(), facts.number);
    }
    EXPECT_EQ(current(), before);
  }
  EXPECT_THROW((void)DeviceScope(4711), Error);
  EXPECT_EQ(current(), before);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(CudaRuntime, AFailedCallIsAnErrorThatSaysWhatItWasToDoAndIsForgotten) {
  EXPECT_NO_THROW(check(cudaSuccess, "do nothing"));
  const Error error = error_of([] { check(cudaSetDevice(4711), "make GPU 4711 current"); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("could not make GPU 4711 current"), HasSubstr("cudaErrorInvalidDevice")));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(CudaRuntime, DevicesAreTriedOnceAndChosenByTheirPlaceInTheList) {
  const Devices& all = devices();
  EXPECT_EQ(&all, &devices());
  ASSERT_FALSE(all.facts.empty());
  EXPECT_EQ(all.why, "");
  EXPECT_EQ(unavailable(), "");
  EXPECT_EQ(device_lines().size(), all.facts.size());
  for (const DeviceFacts& facts : all.facts) {
    EXPECT_NE(facts.name, "");
    EXPECT_GT(facts.memory, 0u);
    EXPECT_GT(facts.multiprocessors, 0);
    EXPECT_GE(facts.shared_per_block, 48u << 10);
  }
  EXPECT_EQ(&choose_device(std::nullopt), &all.facts.front());
  const auto count = static_cast<unsigned>(all.facts.size());
  EXPECT_EQ(&choose_device(count - 1), &all.facts.back());
  EXPECT_NO_THROW(require_device(count - 1));
  const Error error = error_of([&] { (void)choose_device(count); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), HasSubstr("CUDA device " + std::to_string(count)));
}

TEST_F(CudaRuntime, TheCodeOfTheKernelsIsKnownAndListed) {
  for (const DeviceFacts& facts : devices().facts) {
    const int capability = 10 * facts.major + facts.minor;
    const KernelCode code = code_on(facts.number);
    EXPECT_GE(code.written_for, 80);
    EXPECT_LE(code.written_for, capability);
    EXPECT_LE(code.machine_code, capability);
    EXPECT_EQ(code.machine_code / 10, facts.major) << "machine code runs only on its own generation";
    const DeviceScope scope(facts.number);
    EXPECT_EQ(code_here().written_for, code.written_for);
    EXPECT_THAT(device_lines()[static_cast<std::size_t>(&facts - devices().facts.data())], HasSubstr(code_text(code)));
  }
}

TEST_F(CudaRuntime, TheDriverCompilesTheLowestPtxWhereItIsForcedTo) {
  const char* forced = std::getenv("CUDA_FORCE_PTX_JIT");
  if (test::kEmulated || forced == nullptr || std::string_view(forced) != "1" || lowest_capability() == 0)
    GTEST_SKIP() << "CUDA_FORCE_PTX_JIT is not 1, or this is not a GPU";
  const KernelCode code = code_on(choose_device(std::nullopt).number);
  EXPECT_EQ(code.written_for, lowest_capability());
  EXPECT_EQ(code.can_overlap(), lowest_capability() >= 90);
}

// Without a GPU.

TEST(CudaDevices, KernelsOverlapWhereTheirCodeWaitsWhateverTheDevice) {
  EXPECT_EQ(code_text({90, 90}), "code for 9.0, kernels overlap");
  EXPECT_EQ(code_text({80, 86}), "compiled by the driver from 8.0, kernels one after another");
  EXPECT_EQ(code_text({80, 90}), "compiled by the driver from 8.0, kernels one after another");
  EXPECT_EQ(code_text({80, 80}), "code for 8.0, kernels one after another");
  EXPECT_EQ(code_text({90, 120}), "compiled by the driver from 9.0, kernels overlap");
}

TEST(CudaDevices, WhyThereIsNoneIsSaidWithWhatWouldHelp) {
  constexpr int kNew = 13000, kOld = 12040;
  EXPECT_THAT(no_device_text(cudaErrorInsufficientDriver, 0, kNew), HasSubstr("no NVIDIA driver"));
  EXPECT_THAT(no_device_text(cudaErrorNoDevice, 0, kNew), HasSubstr("libcuda.so.1"));
  EXPECT_THAT(no_device_text(cudaErrorInsufficientDriver, kOld, kNew),
              AllOf(HasSubstr("driver is too old"), HasSubstr("CUDA 12.4"), HasSubstr("CUDA 13.0")));
  EXPECT_THAT(no_device_text(cudaErrorNoDevice, kNew, kNew),
              AllOf(HasSubstr("no NVIDIA GPU"), HasSubstr("CUDA_VISIBLE_DEVICES")));
  EXPECT_EQ(no_device_text(cudaSuccess, kNew, kNew), no_device_text(cudaErrorNoDevice, kNew, kNew));
  EXPECT_THAT(no_device_text(cudaErrorInitializationError, kNew, kNew), HasSubstr("cudaErrorInitializationError"));
}

TEST(CudaDevices, GpusOlderThanTheKernelsAreNamedWithTheRemedy) {
  const auto text = [](int major, int minor) {
    DeviceFacts facts;
    facts.name = "A card";
    facts.major = major;
    facts.minor = minor;
    return too_old_text(facts, 90);
  };
  EXPECT_EQ(text(9, 0), "");
  EXPECT_EQ(text(10, 0), "");
  EXPECT_EQ(text(12, 1), "");
  EXPECT_THAT(text(8, 6),
              AllOf(HasSubstr("A card"), HasSubstr("8.6"), HasSubstr("9.0"), HasSubstr("CMAKE_CUDA_ARCHITECTURES=86")));
  EXPECT_THAT(text(7, 5), AllOf(HasSubstr("7.5"), HasSubstr("8.0 is the least")));
}

#if defined(LAMELLA_CUDA_EMULATION)

TEST_F(CudaRuntime, EveryKernelIsStartedAsItsCodeAllows) {
  const test::OnDevice<Vec3> positions(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const test::OnDevice<Triangle> triangles(std::vector<Triangle>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  Query query = Query::self_intersect({positions.get(), triangles.get(), 4, 4}, {.resolution = 4});
  const std::uint64_t launches = cuda_emulation::launches(), overlapping = cuda_emulation::overlapping_launches();
  query.launch(nullptr);
  (void)query.wait();
  const std::uint64_t started = cuda_emulation::launches() - launches;
  EXPECT_GT(started, 3u);
  EXPECT_EQ(cuda_emulation::overlapping_launches() - overlapping, cuda_emulation::capability() >= 90 ? started : 0);
}

TEST_F(CudaRuntime, MemoryGrowsByWhatIsNeededAloneWhereThereIsNoMore) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  cuda_emulation::set_memory_limit(cuda_emulation::memory_in_use() + kMebibyte);
  Memory memory(Memory::Kind::device);
  memory.reserve(kMebibyte * 9 / 10, "a test");
  EXPECT_TRUE(memory.reserve(kMebibyte, "a test")) << "what it has is given back first";
  EXPECT_EQ(memory.bytes(), kMebibyte);
  EXPECT_THROW(memory.reserve(kMebibyte + 1, "a test"), Error);
}

TEST_F(CudaRuntime, GpusThatDoNotAnswerAreTheReasonWhyThereIsNone) {
  using cuda_emulation::Call;
  ASSERT_EQ(find_devices().facts.size(), 1u);
  EXPECT_EQ(find_devices().facts[0].name, devices().facts[0].name);
  EXPECT_EQ(find_devices().why, "");
  cuda_emulation::fail(Call::device, 1, 1, cudaErrorInitializationError);
  const Devices silent = find_devices();
  EXPECT_TRUE(silent.facts.empty());
  EXPECT_THAT(silent.why, HasSubstr("GPU 0 does not answer"));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  cuda_emulation::fail(Call::device, 0, 1, cudaErrorNoDevice);
  const Devices none = find_devices();
  EXPECT_TRUE(none.facts.empty());
  EXPECT_EQ(none.why, no_device_text(cudaErrorNoDevice, 13000, 13000));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(CudaRuntime, AGraphThatCannotBeMadeReadyIsEmpty) {
  const Relay relay;
  Graph graph;
  cuda_emulation::fail(cuda_emulation::Call::instantiate, 0);
  EXPECT_THROW(graph.capture([&](cudaStream_t on) { relay.put_on(on); }), Error);
  EXPECT_TRUE(graph.empty());
  graph.capture([&](cudaStream_t on) { relay.put_on(on); });
  EXPECT_EQ(relay.replayed(graph, 8), 8);
}

#endif

}  // namespace
}  // namespace lamella::cuda
