#include "engines/software/tile_points.hpp"

#include <algorithm>

#include "query/contains_kernel.hpp"

namespace lamella::software {

void PointTiles::ask(const Grid& grid, std::span<const Vec3> points, const Aabb* mesh_box, Containment& out) {
  grid_ = grid;
  points_ = points;
  mesh_box_ = mesh_box;
  out_ = &out;
}

void PointTiles::start(const Tiling& tiling) {
  tiling_ = tiling;
  std::fill(counts_.begin(), counts_.end(), Counts{});
  if (tiling.count() > 1) sort_points();
}

/// A counting sort; workers take a part of the points each. Those that are not looked up come last.
void PointTiles::sort_points() {
  const std::size_t tiles = tiling_.count(), parts = of_tile_.size();
  const std::size_t part = (points_.size() + parts - 1) / parts;
  if (tiles_.size() < points_.size()) {
    tiles_.resize(points_.size());
    sorted_.resize(points_.size());
    number_.resize(points_.size());
  }
  const auto for_parts = [&](const auto& body) {
    workers_.for_chunks(
        parts, 1,
        [&](std::size_t i, std::size_t, unsigned) {
          body(of_tile_[i], std::min(i * part, points_.size()), std::min((i + 1) * part, points_.size()));
        },
        1);
  };
  for_parts([&](std::vector<std::uint32_t>& of_tile, std::size_t begin, std::size_t end) {
    of_tile.assign(tiles + 1, 0);
    find_blocks(grid_, mesh_box_, {tiling_.shift_u, tiling_.shift_v, tiling_.across},
                points_.subspan(begin, end - begin), static_cast<std::uint32_t>(tiles), tiles_.data() + begin);
    for (std::size_t i = begin; i < end; ++i) ++of_tile[tiles_[i]];
  });
  begin_.resize(tiles + 1);
  std::uint32_t total = 0;
  for (std::size_t tile = 0; tile <= tiles; ++tile) {
    begin_[tile] = total;
    for (auto& of_tile : of_tile_) {
      const std::uint32_t count = of_tile[tile];
      of_tile[tile] = total;
      total += count;
    }
  }
  for_parts([&](std::vector<std::uint32_t>& of_tile, std::size_t begin, std::size_t end) {
    std::uint32_t* const next = of_tile.data();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t to = next[tiles_[i]]++;
      sorted_[to] = points_[i];
      number_[to] = static_cast<std::uint32_t>(i);
    }
  });
}

void PointTiles::flag(Layers& layers, std::span<const Vec3> points, std::uint8_t* flags, Counts& counts) const {
  LayeredColumns columns{grid_,          layers.tile().first_u, layers.tile().first_v, layers.stride(),
                         layers.count(), layers.key(),          layers.plane(),        mesh_box_};
  if (layers.any_deep()) {
    columns.owner = &layers;
    columns.full = kLayers;
    columns.further = [](void* owner, std::uint32_t column, std::uint32_t here) {
      LayeredColumns::Signs signs;
      for (const DeepCrossing& c : static_cast<Layers*>(owner)->deep(column)) {
        const int sign = Crossing{c.key}.sign();
        signs.before += c.key < here ? sign : 0;
        signs.all += sign;
      }
      return signs;
    };
  }
  const PointCounts found = flag_points(columns, points, flags);
  counts.inside += found.inside;
  counts.untrusted += found.untrusted;
}

void PointTiles::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  Layers& layers = sides[0];
  Counts& counts = counts_[worker];
  const float thickness = QueryOptions{}.min_thickness * grid_.depth();
  for (std::uint32_t row = 0; row < layers.height(); ++row) check_columns(layers, row, thickness, counts.columns);
  if (tiling_.count() == 1) {
    flag(layers, points_, out_->inside.data(), counts);
    return;
  }
  const std::size_t begin = begin_[tile], count = begin_[tile + 1] - begin;
  auto& flags = flags_[worker];
  if (flags.size() < count) flags.resize(count);
  flag(layers, std::span(sorted_).subspan(begin, count), flags.data(), counts);
  for (std::size_t i = 0; i < count; ++i) out_->inside[number_[begin + i]] = flags[i];
}

void PointTiles::finish() {
  Counts all;
  for (const Counts& c : counts_) {
    all.columns.open += c.columns.open;
    all.columns.occupied += c.columns.occupied;
    all.columns.inside_out += c.columns.inside_out;
    all.inside += c.inside;
    all.untrusted += c.untrusted;
  }
  out_->grid = grid_;
  out_->inside_count = all.inside;
  out_->health.open_columns = all.columns.open;
  out_->health.occupied_columns = all.columns.occupied;
  out_->health.inside_out_columns = all.columns.inside_out;
  out_->health.untrusted_points = all.untrusted;
}

}  // namespace lamella::software
