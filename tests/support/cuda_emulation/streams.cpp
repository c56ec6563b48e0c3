// Streams, events and graphs. Work is a queue of closures for each stream; it runs when somebody waits for it, or at
// once. A stream that captures puts its work into a graph instead, and so does every stream that waits for an event of
// one that captures; the order in which calls came is one in which the graph can run.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "host.hpp"
#include "internal.hpp"

using Work = std::function<void()>;

struct CUgraph_st {
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::shared_ptr<const std::vector<Work>> work;
};

namespace {

struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::vector<Work> work;
  bool invalid = false;
};

}  // namespace

struct CUstream_st {
  std::deque<Work> queue;
  std::uint64_t put = 0, done = 0;  // work so far
  std::shared_ptr<Capture> capture;
  std::uint64_t captured = 0, joined = 0;  // work in the capture, and how much of it another stream waits for
};

struct CUevent_st {
  bool timed = true;
  cudaStream_t stream = nullptr;
  std::uint64_t after = 0;  // how much of the stream's work
  std::shared_ptr<Capture> capture;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;
};

namespace {

using namespace cuda_emulation;

CUstream_st default_stream;
std::set<cudaStream_t> streams{&default_stream};
bool deferred = from_environment("CUDA_EMULATION_DEFERRED", 0) != 0;

CUstream_st* real(cudaStream_t stream) { return stream == nullptr ? &default_stream : stream; }

void drain(CUstream_st& stream, std::uint64_t until = ~std::uint64_t{0}) {
  if (stream.queue.empty() || stream.done >= until) return;
  const DeviceAccess access;
  while (!stream.queue.empty() && stream.done < until) {
    const Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    ++stream.done;
    work();
  }
}

cudaError_t put(CUstream_st& stream, Work work) {
  if (stream.capture != nullptr) {
    if (stream.capture->invalid) return result(cudaErrorStreamCaptureInvalidated);
    stream.capture->work.push_back(std::move(work));
    ++stream.captured;
    return cudaSuccess;
  }
  stream.queue.push_back(std::move(work));
  ++stream.put;
  if (!deferred) drain(stream);
  return cudaSuccess;
}

/// What must not be done while a stream captures, and spoils the capture.
bool spoils(CUstream_st& stream) {
  if (stream.capture == nullptr) return false;
  stream.capture->invalid = true;
  return true;
}

bool known(cudaStream_t stream) { return streams.contains(real(stream)); }

/// Bytes at both ends, and the kinds of memory that the direction says.
bool can_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  std::size_t to_room = bytes, from_room = bytes;
  const MemoryKind to_kind = find_memory(to, to_room), from_kind = find_memory(from, from_room);
  if (to == nullptr || from == nullptr || to_room < bytes || from_room < bytes) return false;
  if (kind == cudaMemcpyHostToDevice) return to_kind != MemoryKind::unknown && from_kind != MemoryKind::device;
  if (kind == cudaMemcpyDeviceToHost) return from_kind != MemoryKind::unknown && to_kind != MemoryKind::device;
  if (kind == cudaMemcpyDeviceToDevice) return to_kind != MemoryKind::unknown && from_kind != MemoryKind::unknown;
  if (kind == cudaMemcpyHostToHost) return to_kind != MemoryKind::device && from_kind != MemoryKind::device;
  return true;
}

bool pageable(const void* pointer) {
  std::size_t room = 0;
  return find_memory(pointer, room) == MemoryKind::unknown;
}

}  // namespace

namespace cuda_emulation {

std::recursive_mutex& mutex() {
  static std::recursive_mutex the;
  return the;
}

void drain_all() {
  for (cudaStream_t stream : streams) drain(*stream);
}

bool capture_forbids() {
  for (cudaStream_t stream : streams) {
    const Capture* capture = stream->capture.get();
    if (capture == nullptr || capture->mode == cudaStreamCaptureModeRelaxed) continue;
    if (capture->mode == cudaStreamCaptureModeThreadLocal && capture->thread != std::this_thread::get_id()) continue;
    return spoils(*stream);
  }
  return false;
}

void set_deferred(bool on) {
  const std::lock_guard lock(mutex());
  deferred = on;
  if (!deferred) drain_all();
}

cudaError_t put_work(cudaStream_t stream, std::function<void()> work) {
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  return put(*real(stream), std::move(work));
}

}  // namespace cuda_emulation

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::copy, error)) return result(error);
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return cudaSuccess;
  if (!can_copy(to, from, bytes, kind)) return result(cudaErrorInvalidValue);
  CUstream_st& s = *real(stream);
  if (s.capture == nullptr && pageable(from)) {  // CUDA takes such memory before it returns
    const auto* first = static_cast<const char*>(from);
    const auto kept = std::make_shared<std::vector<char>>(first, first + bytes);
    error = put(s, [=] { std::memcpy(to, kept->data(), bytes); });
  } else {
    error = put(s, [=] { std::memmove(to, from, bytes); });
  }
  if (s.capture == nullptr && pageable(to)) drain(s);
  return error;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const std::lock_guard lock(mutex());
  if (capture_forbids()) return result(cudaErrorStreamCaptureUnsupported);
  const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  drain(default_stream);
  return error;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::copy, error)) return result(error);
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return cudaSuccess;
  std::size_t room = 0;
  if (find_memory(memory, room) == MemoryKind::unknown || room < bytes) return result(cudaErrorInvalidValue);
  return put(*real(stream), [=] { std::memset(memory, value, bytes); });
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  const std::lock_guard lock(mutex());
  if (capture_forbids()) return result(cudaErrorStreamCaptureUnsupported);
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::create, error)) return result(error);
  *stream = new CUstream_st;
  streams.insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  if (stream == nullptr || !known(stream)) return result(cudaErrorInvalidResourceHandle);
  drain(*stream);
  streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::synchronize, error)) return result(error);
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  if (spoils(*real(stream))) return result(cudaErrorStreamCaptureUnsupported);
  drain(*real(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaDeviceSynchronize() {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::synchronize, error)) return result(error);
  if (capture_forbids()) return result(cudaErrorStreamCaptureUnsupported);
  drain_all();
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const std::lock_guard lock(mutex());
  if (stream == nullptr) return result(cudaErrorStreamCaptureUnsupported);
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  if (stream->capture != nullptr) return result(cudaErrorInvalidValue);
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->mode = mode;
  stream->capture->thread = std::this_thread::get_id();
  stream->captured = stream->joined = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(mutex());
  *graph = nullptr;
  if (!known(stream) || real(stream)->capture == nullptr) return result(cudaErrorInvalidValue);
  const std::shared_ptr<Capture> capture = real(stream)->capture;
  if (capture->origin != stream) return result(cudaErrorStreamCaptureUnmatched);
  bool joined = true;
  for (cudaStream_t other : streams) {
    if (other->capture != capture) continue;
    joined &= other == stream || other->joined == other->captured;
    other->capture = nullptr;
  }
  if (capture->invalid) return result(cudaErrorStreamCaptureInvalidated);
  if (!joined) return result(cudaErrorStreamCaptureUnjoined);
  *graph = new CUgraph_st{std::move(capture->work)};
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const std::lock_guard lock(mutex());
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  const Capture* capture = real(stream)->capture.get();
  *status = capture == nullptr ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const std::lock_guard lock(mutex());
  if (function == nullptr) return result(cudaErrorInvalidValue);
  return put_work(stream, [=] { function(data); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  *executable = nullptr;
  if (fails(Call::instantiate, error)) return result(error);
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{std::make_shared<const std::vector<Work>>(graph->work)};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::graph_launch, error)) return result(error);
  if (executable == nullptr) return result(cudaErrorInvalidValue);
  if (!known(stream)) return result(cudaErrorInvalidResourceHandle);
  return put(*real(stream), [work = executable->work] {
    for (const Work& w : *work) w();
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return executable == nullptr ? result(cudaErrorInvalidValue) : cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return result(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr) return result(cudaErrorInvalidValue);
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::create, error)) return result(error);
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(mutex());
  if (event == nullptr || !known(stream)) return result(cudaErrorInvalidResourceHandle);
  CUstream_st& s = *real(stream);
  event->stream = &s;
  event->capture = s.capture;
  event->time = std::make_shared<std::chrono::steady_clock::time_point>();
  if (s.capture != nullptr) {
    event->after = s.captured;
    return cudaSuccess;
  }
  event->after = s.put + 1;
  return put(s, [time = event->time] { *time = std::chrono::steady_clock::now(); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(mutex());
  if (event == nullptr || !known(stream)) return result(cudaErrorInvalidResourceHandle);
  if (event->stream == nullptr || !known(event->stream)) return cudaSuccess;
  CUstream_st& s = *real(stream);
  if (event->capture != nullptr && event->capture == event->stream->capture) {
    if (s.capture != nullptr && s.capture != event->capture) return result(cudaErrorStreamCaptureIsolation);
    if (s.capture == nullptr) s.captured = s.joined = 0;
    s.capture = event->capture;
    // Even a stream that did nothing must be waited for again.
    if (&s != s.capture->origin && &s != event->stream) ++s.captured;
    event->stream->joined = std::max(event->stream->joined, event->after);
    return cudaSuccess;
  }
  if (s.capture != nullptr) return result(cudaErrorStreamCaptureIsolation);
  return put(s, [from = event->stream, after = event->after] {
    if (known(from)) drain(*from, after);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::synchronize, error)) return result(error);
  if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
  if (event->capture != nullptr) return result(cudaErrorStreamCaptureUnsupported);
  if (event->stream != nullptr && known(event->stream)) drain(*event->stream, event->after);
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const std::lock_guard lock(mutex());
  if (start == nullptr || end == nullptr || !start->timed || !end->timed || !start->time || !end->time)
    return result(cudaErrorInvalidResourceHandle);
  if (start->time->time_since_epoch().count() == 0 || end->time->time_since_epoch().count() == 0)
    return result(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  return cudaSuccess;
}
