#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/commands.hpp"
#include "bench/cuda/device.hpp"
#include "bench/row.hpp"
#include "lamella/cuda.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"

namespace lamella::bench {

/// A work on the device, ready to be done again and again on vertices that change. There are several sets of them in
/// the device's memory, so that no frame finds its own in a cache because the last one had left them there.
struct CudaWork {
  std::string description;
  std::uint64_t bytes = 0;  ///< of all inputs, each counted once
  std::size_t sets = 0;
  std::function<void(std::size_t set)> place;  ///< on the stream: a set of vertices to where the work reads them
  std::function<void()> launch, wait;
  /// After wait() on this set: what is not as the CPU answers; empty when all is.
  std::function<std::string(std::size_t set)> difference;
  std::function<std::string()> answer;  ///< in a few words
  /// Milliseconds of the same work by the software engine; the set's vertices are read where they are.
  std::function<double(unsigned threads, std::size_t set)> software_ms;
  /// The same by an engine that draws with OpenGL on a GPU, all uploads included; no name where there is none.
  std::string opengl_engine{};
  std::function<double(std::size_t set)> opengl_ms{};
};

/// A row of the table.
struct CudaCase {
  std::string name;
  double target_us = 0;     ///< to reach on an H200, for each unit
  std::uint32_t units = 1;  ///< pairs of a batch; times are for each
  bool held = true;  ///< whether the stream is held while a frame is put on it; not where a launch waits for the stream
  std::function<CudaWork(CudaDevice& device)> make;
};

[[nodiscard]] CudaCase serpent_case(const CudaArgs& args);
[[nodiscard]] CudaCase scans_case(const CudaArgs& args);
[[nodiscard]] CudaCase hand_case(const CudaArgs& args);
[[nodiscard]] CudaCase large_case(const CudaArgs& args);
/// `distinct` meshes, in 10,000 pairs with poses of their own.
[[nodiscard]] CudaCase pairs_case(const CudaArgs& args, std::string name, std::uint32_t distinct,
                                  bool gradients = false);
[[nodiscard]] CudaCase bodies_case(const CudaArgs& args);
[[nodiscard]] CudaCase scene_case(const CudaArgs& args);

/// Makes the work, checks it on every set of vertices, measures it, and checks it again. Times are in microseconds for
/// each of its units: "floor_us", to read all inputs once; "device", by the device's clock around the launch;
/// "latency", by the host's from the launch until the answer is there; "cold", by the device's when caches hold nothing
/// but the new vertices; other engines by their names. "late_frames" were not all on the stream when it went on; they
/// are part of "device" all the same. "differences" from the CPU's answers, where there are any.
[[nodiscard]] Row measure_cuda(const CudaCase& work, const CudaArgs& args, double bytes_per_second);

/// Meshes that change in place: their vertices one after another in one array, which is replaced as a whole.
class MovingMeshes {
 public:
  /// Sets out[set] of positions as a motion makes them of each mesh's own.
  using Motion =
      std::function<void(std::span<const Vec3> rest, std::size_t mesh, std::size_t set, std::span<Vec3> out)>;
  MovingMeshes(CudaDevice& device, std::vector<Mesh> meshes, std::size_t sets, const Motion& motion);

  [[nodiscard]] std::size_t size() const { return meshes_.size(); }
  [[nodiscard]] std::size_t sets() const { return sets_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::size_t face_count() const { return first_triangle_.back(); }
  void place(std::size_t set);
  [[nodiscard]] cuda::DeviceMesh on_device(std::size_t mesh) const;
  [[nodiscard]] std::vector<cuda::DeviceMesh> all_on_device() const;
  [[nodiscard]] MeshView view(std::size_t mesh, std::size_t set) const;

 private:
  CudaDevice& device_;
  std::vector<Mesh> meshes_;
  std::vector<std::size_t> first_vertex_{0}, first_triangle_{0};  ///< of each mesh, and after the last
  std::vector<std::vector<Vec3>> sets_;
  Vec3* positions_ = nullptr;
  Triangle* triangles_ = nullptr;
  std::vector<Vec3*> device_sets_;
};

/// The one of these for a number of threads, made when first asked for.
template <class Thing, class Make>
Thing& known_or_made(std::map<unsigned, Thing>& known, unsigned threads, const Make& make) {
  const auto found = known.find(threads);
  return found != known.end() ? found->second : known.emplace(threads, make()).first->second;
}

/// Options for another engine than cuda.
template <class AnyOptions>
[[nodiscard]] AnyOptions with_engine(AnyOptions options, const std::string& engine, unsigned threads) {
  options.engine = engine;
  options.threads = threads;
  options.device = std::nullopt;
  return options;
}

/// The same question for meshes that are on the device.
[[nodiscard]] inline cuda::DeviceOptions for_device(const Options& options) {
  return {.resolution = options.resolution, .device = options.device};
}

/// Volumes are the same but for sums of roundings in another order.
[[nodiscard]] bool same_volume(double x, double y);

/// The engine's name where it is available on a GPU that is one; empty otherwise.
[[nodiscard]] std::string hardware_engine(const std::string& name);

}  // namespace lamella::bench
