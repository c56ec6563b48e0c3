#include "engines/software/vertex_sums.hpp"

#include <algorithm>

namespace lamella::software {

void VertexSums::start(std::size_t vertices) {
  if (!clean_) {  // the query before was not finished
    std::fill(sums_.begin(), sums_.end(), SignedSum{0});
    std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});
  }
  vertices_ = vertices;
  const std::size_t blocks = (vertices >> kBlockShift) + 1;
  if (marks_.size() < blocks) {
    sums_.resize((blocks << kBlockShift) * 3);
    marks_.resize(blocks);
  }
  clean_ = false;
}

void VertexSums::write_block(std::size_t block, const std::array<double, 3>& cell_areas, std::vector<Vec3>& out) {
  const std::size_t begin = block << kBlockShift, end = std::min(begin + (std::size_t{1} << kBlockShift), vertices_);
  if (marks_[block] == 0) {
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin), out.begin() + static_cast<std::ptrdiff_t>(end), Vec3{});
    return;
  }
  marks_[block] = 0;
  for (std::size_t i = begin; i < end; ++i) {
    SignedSum* const sum = &sums_[i * 3];
    out[i] = {vertex_component(sum[0], cell_areas[0]), vertex_component(sum[1], cell_areas[1]),
              vertex_component(sum[2], cell_areas[2])};
    sum[0] = sum[1] = sum[2] = 0;
  }
}

void VertexSums::write(const std::array<double, 3>& cell_areas, Workers& workers, std::vector<Vec3>& out) {
  out.resize(vertices_);
  const std::size_t blocks = (vertices_ + (std::size_t{1} << kBlockShift) - 1) >> kBlockShift;
  workers.for_chunks(blocks, 256, [&](std::size_t first, std::size_t end, unsigned) {
    for (std::size_t block = first; block < end; ++block) write_block(block, cell_areas, out);
  });
  clean_ = true;
}

}  // namespace lamella::software
