// Queries on the caller's device memory.

#include <optional>
#include <utility>

#include "engines/checks.hpp"
#include "engines/cuda/frame_runner.hpp"
#include "engines/cuda/pointers.hpp"
#include "lamella/cuda.hpp"
#include "lamella/error.hpp"

namespace lamella::cuda {

struct Query::State {
  State(const DeviceFacts& facts, const Frame& frame, const RunnerOptions& options) : device(facts) {
    const DeviceScope scope(device.number);
    runner.emplace(device, memory, frame, options);
  }
  ~State() {
    try {
      const DeviceScope scope(device.number);
      runner.reset();
      memory.release();
    } catch (const Error&) {  // the device is lost, and what was on it
    }
  }

  const DeviceFacts& device;
  FrameMemory memory;
  std::optional<FrameRunner> runner;
};

namespace {

void check_mesh(const DeviceMesh& mesh, const DeviceFacts& device, const char* name) {
  check_pointers(mesh, device, name, "Detector");
}

/// The part of a frame that all kinds of queries have in common.
Frame make_frame(Kind kind, const DeviceOptions& options) {
  check_options(options.for_query());
  Frame frame;
  frame.kind = kind;
  frame.resolution = options.resolution;
  frame.axis = options.axis ? static_cast<std::int32_t>(*options.axis) : -1;
  // As in all engines, contains() does not use the caller's: it only decides which columns count as inside out.
  frame.min_thickness = kind == Kind::contains ? QueryOptions{}.min_thickness : options.min_thickness;
  frame.column_count = options.resolution * options.resolution;
  return frame;
}

RunnerOptions make_options(const DeviceOptions& options, bool spans) {
  return {.spans = spans, .strict = options.strict, .max_crossings = options.max_crossings};
}

}  // namespace

Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

Query Query::intersect(const DeviceMesh& a, const DeviceMesh& b, const DeviceOptions& options, bool spans) {
  Frame frame = make_frame(Kind::intersect, options);
  const DeviceFacts& device = choose_device(options.device);
  check_mesh(a, device, "mesh a");
  check_mesh(b, device, "mesh b");
  frame.mesh[0] = a;
  frame.mesh[1] = b;
  frame.mesh_count = 2;
  return Query(std::make_unique<State>(device, frame, make_options(options, spans)));
}

Query Query::self_intersect(const DeviceMesh& mesh, const DeviceOptions& options, bool spans) {
  Frame frame = make_frame(Kind::self_intersect, options);
  const DeviceFacts& device = choose_device(options.device);
  check_mesh(mesh, device, "the mesh");
  frame.mesh[0] = mesh;
  return Query(std::make_unique<State>(device, frame, make_options(options, spans)));
}

Query Query::contains(const DeviceMesh& mesh, const DevicePoints& points, const DeviceOptions& options,
                      std::uint8_t* inside) {
  Frame frame = make_frame(Kind::contains, options);
  const DeviceFacts& device = choose_device(options.device);
  check_mesh(mesh, device, "the mesh");
  check_pointer(points.positions, points.count, device, "the points", "Detector");
  if (inside != nullptr) check_pointer(inside, points.count, device, "the flags of points", "Detector");
  frame.mesh[0] = mesh;
  frame.points = points;
  frame.flags = inside;
  return Query(std::make_unique<State>(device, frame, make_options(options, false)));
}

void Query::launch(Stream stream) {
  const DeviceScope scope(state_->device.number);
  state_->runner->launch(stream);
}

const Answer& Query::wait() {
  const DeviceScope scope(state_->device.number);
  return state_->runner->wait().answer;
}

const Answer* Query::device_answer() const {
  const FrameReport* report = state_->runner->frame().report;
  return report != nullptr ? &report->answer : nullptr;
}
const Span* Query::device_spans() const { return state_->runner->frame().spans[0]; }
const Span* Query::device_inside_out() const { return state_->runner->frame().spans[1]; }
const std::uint8_t* Query::device_flags() const { return state_->runner->frame().flags; }
std::size_t Query::device_bytes() const { return state_->memory.device_bytes(); }

}  // namespace lamella::cuda
