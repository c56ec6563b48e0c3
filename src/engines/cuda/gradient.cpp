#include "engines/cuda/gradient.hpp"

namespace lamella::cuda {
namespace {

/// EndSums of a view.
constexpr std::size_t kViewWords = 2 * kEndWords;

void zero(const DeviceArray<EndWord>& words, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  check(cudaMemsetAsync(words.data(), 0, count * sizeof(EndWord), stream), "begin a gradient");
}

EndSums from_words(const EndWord* w) { return {w[0], w[1], w[2], w[3], {w[4], w[5], w[6]}}; }

}  // namespace

void FrameGradient::start(std::span<const DeviceMesh> meshes, bool vertices, cudaStream_t stream) {
  views_ = 0;
  with_vertices_ = vertices;
  ends_.reserve(3 * kViewWords, "the sums of a gradient");
  host_ends_.reserve(3 * kViewWords, "the sums of a gradient");
  moments_.reserve(kMostEndBlocks, "the sums of a gradient");
  host_moments_.reserve(kMostEndBlocks, "the sums of a gradient");
  zero(ends_, 3 * kViewWords, stream);
  if (!vertices) return;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const std::size_t words = std::size_t{meshes[m].vertex_count} * 3;
    vertices_[m].reserve(words, "the gradients of vertices");
    zero(vertices_[m], words, stream);
  }
}

void FrameGradient::add_view(const Frame& frame, const Answer& answer, cudaStream_t stream) {
  ViewTotals totals{
      .ends = ends_.data() + views_ * kViewWords, .vertices = {}, .moments = views_ == 0 ? moments_.data() : nullptr};
  if (with_vertices_)
    for (std::uint32_t m = 0; m < frame.mesh_count; ++m) totals.vertices[m] = vertices_[m].data();
  launch_add_ends(frame, answer.span_count, totals, stream);
  if (views_ == 0) moment_blocks_ = end_blocks(answer.span_count);
  grids_[views_++] = answer.grid;
}

std::size_t FrameGradient::sum_up(Vec3d pivot, GradientSums& out, cudaStream_t stream) {
  std::size_t bytes = 0;
  const auto read = [&](const auto& to, const auto& from, std::size_t count) {
    const std::size_t size = count * sizeof(*from.data());
    check(cudaMemcpyAsync(to.data(), from.data(), size, cudaMemcpyDeviceToHost, stream), "read a gradient");
    bytes += size;
  };
  read(host_ends_, ends_, 3 * kViewWords);
  read(host_moments_, moments_, moment_blocks_);
  check(cudaStreamSynchronize(stream), "read a gradient");
  ViewSums views[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const EndWord* words = host_ends_.data() + i * kViewWords;
    views[i] = {grids_[i], {from_words(words), from_words(words + kEndWords)}};
  }
  sum_up_views(views, pivot, out);
  MomentSums moments;
  for (std::size_t i = 0; i < moment_blocks_; ++i) moments.add(host_moments_.data()[i]);
  sum_up_moments(grids_[0], moments, out);
  return bytes;
}

void FrameGradient::read_vertices(unsigned mesh, std::span<Vec3> out, cudaStream_t stream) {
  if (out.empty()) return;
  CellAreas areas;
  for (const Grid& grid : grids_) areas.of[grid.w()] = grid.cell_area();
  gradients_.reserve(out.size(), "the gradients of vertices");
  launch_vertices(vertices_[mesh].data(), static_cast<std::uint32_t>(out.size()), areas, gradients_.data(), stream);
  check(cudaMemcpyAsync(out.data(), gradients_.data(), out.size_bytes(), cudaMemcpyDeviceToHost, stream),
        "read a gradient");
  check(cudaStreamSynchronize(stream), "read a gradient");
}

}  // namespace lamella::cuda
