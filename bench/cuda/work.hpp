#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/commands.hpp"
#include "bench/cuda/device.hpp"
#include "bench/row.hpp"
#include "lamella/mesh.hpp"

namespace lamella::bench {

/// A work on the device, ready to be done again and again on vertices that change. There are several sets of them in
/// the device's memory, so that no frame finds its own in a cache because the last one had left them there.
class CudaWork {
 public:
  virtual ~CudaWork() = default;

  [[nodiscard]] virtual std::string description() const = 0;
  /// Of all inputs, each counted once.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual std::size_t sets() const = 0;
  /// On the stream: a set of vertices to where the work reads them.
  virtual void place(std::size_t set) = 0;
  virtual void launch() = 0;
  virtual void wait() = 0;

  /// After wait() on this set: what is not as the CPU answers; empty when all is.
  [[nodiscard]] virtual std::string difference(std::size_t set) = 0;
  /// The answer in a few words.
  [[nodiscard]] virtual std::string answer() const = 0;

  /// Milliseconds of the same work by the software engine; the set's vertices are read where they are.
  [[nodiscard]] virtual double software_ms(unsigned threads, std::size_t set) = 0;
  /// The same by an engine that draws with OpenGL on a GPU, its name and all uploads included. None where there is no
  /// such engine, or it does not do this work.
  struct Other {
    std::string engine;
    double ms = 0;
  };
  [[nodiscard]] virtual std::optional<Other> opengl_ms(std::size_t) { return std::nullopt; }
};

/// A row of the table.
struct CudaCase {
  std::string name;
  double target_us = 0;     ///< to reach on an H200, for each unit
  std::uint32_t units = 1;  ///< pairs of a batch; times are for each
  bool held = true;  ///< whether the stream is held while a frame is put on it; not where a launch waits for the stream
  std::function<std::unique_ptr<CudaWork>(CudaDevice& device)> make;
};

[[nodiscard]] CudaCase serpent_case(const CudaArgs& args);
[[nodiscard]] CudaCase scans_case(const CudaArgs& args);
[[nodiscard]] CudaCase hand_case(const CudaArgs& args);
[[nodiscard]] CudaCase large_case(const CudaArgs& args);
/// `distinct` meshes, in 10,000 pairs with poses of their own.
[[nodiscard]] CudaCase pairs_case(const CudaArgs& args, std::string name, std::uint32_t distinct);
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
  /// `sets` have as many positions as the meshes have together, in their order.
  MovingMeshes(CudaDevice& device, std::vector<Mesh> meshes, std::vector<std::vector<Vec3>> sets);

  [[nodiscard]] std::size_t size() const { return meshes_.size(); }
  [[nodiscard]] std::size_t sets() const { return sets_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::size_t face_count() const;
  void place(std::size_t set);
  [[nodiscard]] cuda::DeviceMesh on_device(std::size_t mesh) const;
  [[nodiscard]] MeshView view(std::size_t mesh, std::size_t set) const;

 private:
  CudaDevice& device_;
  std::vector<Mesh> meshes_;
  std::vector<std::size_t> first_vertex_, first_triangle_;
  std::vector<std::vector<Vec3>> sets_;
  Vec3* positions_ = nullptr;
  Triangle* triangles_ = nullptr;
  std::vector<Vec3*> device_sets_;
};

/// Sets of positions as a motion makes them of the meshes' own, one after another.
[[nodiscard]] std::vector<std::vector<Vec3>> make_sets(
    const std::vector<Mesh>& meshes, std::size_t count,
    const std::function<void(std::span<const Vec3> rest, std::size_t mesh, std::size_t set, std::span<Vec3> out)>&
        motion);

/// Sums of roundings in another order differ by less than this part.
inline constexpr double kSameVolume = 1e-9;
[[nodiscard]] bool same_volume(double x, double y);

/// The engine's name where it is available on a GPU that is one; empty otherwise.
[[nodiscard]] std::string hardware_engine(const std::string& name);

}  // namespace lamella::bench
