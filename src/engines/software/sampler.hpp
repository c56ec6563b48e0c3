#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "engines/software/columns.hpp"
#include "engines/software/kernels.hpp"

namespace lamella::software {

/// One of the meshes that are sampled together.
struct SampledMesh {
  MeshView mesh;
  Window window;                 ///< of the grid; cells outside it get no crossings of this mesh
  std::uint32_t first_face = 0;  ///< number of its first triangle in a FaceCrossing
};

/// Rasterises meshes onto a grid, into sorted columns of one kind of crossing. Keeps its memory between calls.
template <class Element>
class Sampler {
 public:
  Sampler(unsigned threads, std::uint64_t max_crossings);
  ~Sampler();

  [[nodiscard]] Workers& workers() { return workers_; }

  /// Throws Error for an index out of range or more crossings than allowed. The windows must lie in the grid.
  void sample(std::span<const SampledMesh> meshes, const Grid& grid, Columns<Element> out);
  /// Triangles that the last sample() left out of mesh `i`: NaN, infinite, or too far away for the lattice.
  [[nodiscard]] std::uint32_t skipped(std::size_t i) const { return static_cast<std::uint32_t>(jobs_[i].skipped); }

 private:
  struct Worker;
  /// State of a mesh while it is sampled.
  struct Job {
    MeshView mesh;
    RasterTarget target;
    std::uint32_t first_face = 0;
    std::size_t first_code = 0;
    std::size_t unusable = 0;  ///< vertices
    std::uint64_t skipped = 0;
  };
  /// Vertices or triangles of one mesh.
  struct Chunk {
    std::uint32_t job;
    std::size_t begin, end;
  };

  static void flush(FragmentBuffer& buffer, void* owner);
  void plan(std::span<const SampledMesh> meshes, const Grid& grid);
  void reset_workers(Banding banding);
  void encode_vertices(const Chunk& chunk);
  void rasterize_triangles(const Chunk& chunk, Worker& w);
  void take_up(std::uint32_t job, Worker& w);
  void rasterize_pass(const Job& job, Worker& w, std::size_t pass, bool drain);
  void rasterize_waiting_large(Job& job, Worker& w);
  void finish_job(Worker& w);

  Workers workers_;
  std::vector<Worker> scratch_;
  std::vector<FragmentStore<Element>> stores_;
  std::vector<Job> jobs_;
  std::vector<Chunk> vertex_chunks_, triangle_chunks_;
  std::vector<CellCode> codes_;
  ColumnScratch columns_;
  std::uint64_t max_crossings_;
  std::atomic<std::uint64_t> crossings_left_{0};
};

}  // namespace lamella::software
