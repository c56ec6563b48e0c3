#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "engines/opengl/gpu_mesh.hpp"
#include "engines/opengl/lists.hpp"
#include "engines/opengl/sampling.hpp"

namespace lamella::opengl {

/// Input of one drawing, and the query on it.
struct ListFrame {
  Session& session;
  Grid grid;
  std::vector<GpuMesh*> meshes;  ///< one or two
  Asked asked;
};

/// The crossings of one or two meshes in every column, as sorted linked lists on the device, and the memory for them.
class CrossingLists {
 public:
  CrossingLists(const Gl& gl, const Program& cull, std::uint64_t max_crossings);

  /// Draws, runs `passes`, and waits for the answer. Repeats with more room while `enough(answer)` is false or the
  /// lists had too little. The answer is valid until the next call.
  const Answer& run(const ListFrame& frame, const std::function<void()>& passes,
                    const std::function<bool(const Answer&)>& enough);

  /// For the passes: replaces the query's settings.
  void set_asked(const Asked& asked);

  [[nodiscard]] const GpuTimer& timer() const { return timer_; }
  [[nodiscard]] const Buffer& heads() const { return heads_; }
  [[nodiscard]] const Buffer& nodes() const { return nodes_; }

 private:
  void reserve(const ListFrame& frame, std::uint64_t nodes, bool guess);
  void check_crossings(const ListFrame& frame, const Answer& answer) const;
  void clear(const ListFrame& frame);
  void draw(const ListFrame& frame);

  const Gl* gl_;
  const Program* cull_;
  std::uint64_t max_crossings_;
  Program draw_, depth_, sort_;
  Framebuffer target_;  ///< without an image: fragments write to memory
  SamplingBlock sampling_;
  Buffer asked_, heads_, nodes_, cells_, answer_;
  SharedBuffer answer_back_;
  GpuTimer timer_;
  std::uint64_t capacity_ = 0;  ///< nodes, in memory
};

/// Most points in one dispatch where a shader may access `limit` bytes. Every driver accepts multiples of 1024 points
/// as the offset of a range.
constexpr std::size_t points_at_once(std::size_t limit) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30, kStep = 1024;
  return std::max<std::size_t>(std::min(limit, kMostBytes) / sizeof(Vec3) / kStep, 1) * kStep;
}

/// A program of one compute shader, after the common source parts.
[[nodiscard]] Program list_program(const Gl& gl, const char* name, const char* defines, const char* text);

}  // namespace lamella::opengl
