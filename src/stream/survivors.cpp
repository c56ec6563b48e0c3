#include "stream/survivors.hpp"

#include <algorithm>

#include "core/closed_sum.hpp"
#include "core/mesh_check.hpp"

namespace lamella::stream {
namespace {

// What a triangle takes until its tiles are done: corners and codes, which may be copied once as they grow; then its
// crossings, if its box is small, else a note in each tile that it touches.
constexpr std::uint64_t kCorners = 36 + 2 * 12;
constexpr std::uint64_t kPerCrossing = 10, kPerNote = 40, kMostNotes = 16;
constexpr std::uint32_t kSmall = 5;  ///< samples along either axis: TileSampler samples such boxes at once

std::uint64_t bytes_of(const Window& box) {
  const std::uint32_t width = box.end_u - box.first_u, height = box.end_v - box.first_v;
  const std::uint64_t cells = std::uint64_t{width} * height;
  if (width <= kSmall && height <= kSmall) return kCorners + kPerCrossing * cells;
  return kCorners + kPerNote * std::min(cells, kMostNotes);
}

/// Codes are in the order of the world's axes.
Window box_of(software::CellCode low, software::CellCode high, bool swapped) {
  if (swapped) return {low.second, low.first, high.second, high.first};
  return {low.first, low.second, high.first, high.second};
}

}  // namespace

void RowCosts::add(const RowCosts& other) {
  for (std::size_t i = 0; i < first_.size(); ++i) {
    first_[i] += other.first_[i];
    last_[i] += other.last_[i];
  }
}

void RowCosts::sum_up() {
  for (std::size_t i = 1; i < first_.size(); ++i) {
    first_[i] += first_[i - 1];
    last_[i] += last_[i - 1];
  }
}

void Survivors::clear() {
  for (Worker& w : scratch_)
    for (auto& blocks : w.blocks) std::vector<Block>().swap(blocks);
  used_ = 0;
  full_ = false;
}

/// The ids and boxes of triangles that may cover a sample of these cells.
void Survivors::find(const Chunk& chunk, const Grid& grid, bool all_usable, const Window& cells, Worker& w) const {
  const std::size_t count = chunk.mesh.triangles.size();
  w.ids.resize(std::max(w.ids.size(), count + software::kMaxLanes));
  w.low.resize(w.ids.size());
  w.high.resize(w.ids.size());
  auto ids = std::span(w.ids).first(software::cull(chunk.mesh.triangles, chunk.codes, 0, w.ids.data()));
  if (!all_usable) {
    const auto broken = [&](std::uint32_t id) { return !usable(chunk.mesh, chunk.mesh.triangles[id]); };
    ids = ids.first(static_cast<std::size_t>(std::remove_if(ids.begin(), ids.end(), broken) - ids.begin()));
  }
  software::collect_boxes(ids, chunk.mesh.triangles, chunk.codes.data(), w.low.data(), w.high.data());
  w.boxes.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Window box = box_of(w.low[i], w.high[i], grid.axis == Axis::y);
    if (!overlap(box, cells)) continue;
    w.ids[kept++] = ids[i];
    w.boxes.push_back(box);
  }
}

void Survivors::keep(const Chunk& chunk, unsigned side, Worker& w) {
  auto& blocks = w.blocks[side];
  for (std::size_t i = 0; i < w.boxes.size(); ++i) {
    if (blocks.empty() || blocks.back().count == limits_.block_triangles)
      blocks.push_back({std::make_unique_for_overwrite<Vec3[]>(3 * limits_.block_triangles)});
    Block& block = blocks.back();
    const Triangle& t = chunk.mesh.triangles[w.ids[i]];
    Vec3* const to = block.corners.get() + 3 * block.count++;
    for (int k = 0; k < 3; ++k) to[k] = chunk.mesh.positions[t[k]];
  }
}

bool Survivors::scan(PartReader& reader, const PlacedSource& mesh, unsigned side, const Grid& grid, MeshFacts& facts,
                     RowCosts& costs) {
  const auto target = software::make_target(grid, whole(grid));
  for (Worker& w : scratch_) {
    w.costs.start(grid.rows);
    w.broken = w.sum = 0;
  }
  reader.for_each(mesh, &target, [&](const Chunk& chunk, unsigned worker) {
    Worker& w = scratch_[worker];
    find(chunk, grid, mesh.all_usable(), target.window, w);
    w.sum += closed_sum(chunk.mesh.positions, chunk.mesh.triangles);
    if (!mesh.all_usable())
      w.broken += static_cast<std::uint64_t>(std::count_if(chunk.mesh.triangles.begin(), chunk.mesh.triangles.end(),
                                                           [&](const Triangle& t) { return !usable(chunk.mesh, t); }));
    std::uint64_t bytes = 0;
    for (const Window& box : w.boxes) {
      w.costs.add(box.first_v, box.end_v, bytes_of(box));
      bytes += bytes_of(box);
    }
    if (full_ || (used_ += bytes) > room_) {
      full_ = true;
      for (auto& blocks : w.blocks) std::vector<Block>().swap(blocks);
      return;
    }
    keep(chunk, side, w);
  });
  std::uint64_t sum = 0;
  facts = {};
  for (const Worker& w : scratch_) {
    costs.add(w.costs);
    facts.broken += w.broken;
    sum += w.sum;
  }
  facts.closed = sum == 0;
  const bool fitted = !full_;
  if (!fitted) clear();
  full_ = !fitted;  // also for the other side
  return fitted;
}

void Survivors::collect(PartReader& reader, const PlacedSource& mesh, unsigned side, const Grid& grid,
                        const Window& cells) {
  const auto target = software::make_target(grid, whole(grid));
  try {
    reader.for_each(mesh, &target, [&](const Chunk& chunk, unsigned worker) {
      Worker& w = scratch_[worker];
      find(chunk, grid, mesh.all_usable(), cells, w);
      std::uint64_t bytes = 0;
      for (const Window& box : w.boxes) bytes += bytes_of(box);
      if ((used_ += bytes) > room_) throw TooManySurvivors{};
      keep(chunk, side, w);
    });
  } catch (const TooManySurvivors&) {
    clear();
    throw;
  }
}

std::uint64_t Survivors::measure(PartReader& reader, const PlacedSource& mesh, const Grid& grid, const Window& cells) {
  const auto target = software::make_target(grid, whole(grid));
  std::atomic<std::uint64_t> sum{0};
  reader.for_each(mesh, &target, [&](const Chunk& chunk, unsigned worker) {
    Worker& w = scratch_[worker];
    find(chunk, grid, mesh.all_usable(), cells, w);
    for (const Window& box : w.boxes) sum += bytes_of(box);
  });
  return sum;
}

void Survivors::append_meshes(unsigned side, unsigned as, const Grid& grid,
                              std::vector<software::SampledMesh>& out) const {
  while (numbers_.size() < limits_.block_triangles) {
    const auto first = static_cast<std::uint32_t>(3 * numbers_.size());
    numbers_.push_back({first, first + 1, first + 2});
  }
  out.push_back({{}, whole(grid), 0, as});  // a side without triangles has its layers too
  for (const Worker& w : scratch_)
    for (const Block& block : w.blocks[side])
      out.push_back(
          {{{block.corners.get(), 3 * block.count}, std::span(numbers_).first(block.count)}, whole(grid), 0, as});
}

std::uint64_t Survivors::count() const {
  std::uint64_t sum = 0;
  for (const Worker& w : scratch_)
    for (const auto& blocks : w.blocks)
      for (const Block& block : blocks) sum += block.count;
  return sum;
}

}  // namespace lamella::stream
