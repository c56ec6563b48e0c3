#include "engines/software/tile_ends.hpp"

#include <algorithm>

#include "query/column_walk.hpp"

namespace lamella::software {
namespace {

/// A column of a tile, as find_span_ends() expects it.
struct TileColumn {
  const std::uint32_t* keys;
  const std::uint32_t* faces;
  std::size_t plane;
  std::uint32_t size;  ///< in layers
  std::span<const DeepCrossing> deep;

  TileColumn(Layers& layers, std::uint32_t column)
      : keys(layers.key() + column),
        faces(layers.face() + column),
        plane(layers.plane()),
        size(layers.count()[column]),
        deep(layers.any_deep() ? layers.deep(column) : std::span<const DeepCrossing>()) {}
  [[nodiscard]] std::uint32_t count() const { return size + static_cast<std::uint32_t>(deep.size()); }
  [[nodiscard]] std::uint32_t key(std::uint32_t i) const { return i < size ? keys[i * plane] : deep[i - size].key; }
  [[nodiscard]] std::uint32_t face(std::uint32_t i) const { return i < size ? faces[i * plane] : deep[i - size].face; }
};

EndTriangle on_lattice(MeshView mesh, const Triangle& t, const EndWork& work) {
  return {mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c], work.grid, work.lattice};
}

}  // namespace

void TileEnds::start_vertices(std::span<const SampledMesh> meshes) {
  if (!vertices_) return;
  for (std::size_t i = 0; i < meshes.size(); ++i) vertex_sums_[i].start(meshes[i].mesh.positions.size());
}

void TileEnds::start_view(std::span<const SampledMesh> meshes, const Grid& grid) {
  work_.grid = grid;
  work_.lattice = make_lattice(grid);
  mesh_count_ = static_cast<unsigned>(meshes.size());
  for (std::size_t i = 0; i < meshes.size(); ++i) meshes_[i] = meshes[i].mesh;
  for (Worker& w : scratch_) {
    for (EndSums& sums : w.sums) sums = {};
    for (EndBatch& batch : w.batch) batch.size = 0;  // of a view that was not finished
  }
}

ViewSums TileEnds::view_sums() const {
  ViewSums out{work_.grid, {}};
  for (const Worker& w : scratch_)
    for (unsigned m = 0; m < kMostSides; ++m) out.mesh[m].add(w.sums[m]);
  return out;
}

/// The ends of one span, where crossings tie or lie beyond the layers.
SpanPlaces TileEnds::find_one(std::span<Layers> sides, std::uint32_t column, const Span& span, std::uint32_t u,
                              std::uint32_t v) const {
  const auto depth_of = [&](unsigned mesh, std::uint32_t face) {
    const EndTriangle t = on_lattice(meshes_[mesh], meshes_[mesh].triangles[face], work_);
    return t.depth(t.weights(u, v));
  };
  const TileColumn a(sides[0], column);
  if (mesh_count_ == 1) return find_span_ends(a, NoColumn{}, span.begin, span.end, kCoveredTwice, depth_of);
  return find_span_ends(a, TileColumn(sides[1], column), span.begin, span.end, kInside, depth_of);
}

/// Corners of all triangles: first their numbers, then their positions, each fetched ahead.
void TileEnds::fetch(unsigned mesh, EndBatch& batch) const {
  const auto triangles = meshes_[mesh].triangles;
  const auto positions = meshes_[mesh].positions;
  for (std::size_t i = 0; i < batch.size; ++i) {
    const Triangle t = batch.triangle[i] = triangles[batch.face[i]];
    for (const std::uint32_t corner : {t.a, t.b, t.c}) {
      __builtin_prefetch(&positions[corner]);
      if (vertices_) vertex_sums_[mesh].prefetch(corner);
    }
  }
  for (std::size_t i = 0; i < batch.size; ++i) {
    const Triangle t = batch.triangle[i];
    batch.corner[0][i] = positions[t.a];
    batch.corner[1][i] = positions[t.b];
    batch.corner[2][i] = positions[t.c];
  }
}

/// Where triangles reach so far that doubles do not suffice.
void TileEnds::weigh_one_by_one(EndBatch& batch) const {
  for (std::size_t i = 0; i < batch.size; ++i) {
    const EndTriangle t(batch.corner[0][i], batch.corner[1][i], batch.corner[2][i], work_.grid, work_.lattice);
    const EndWeights w = t.weights(batch.u(i), batch.v(i));
    batch.weight_b[i] = w.b;
    batch.weight_c[i] = w.c;
  }
}

template <bool kShared>
void TileEnds::add_to_vertices(unsigned mesh, const EndBatch& batch) {
  VertexSums& sums = vertex_sums_[mesh];
  const int w = work_.grid.w();
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::uint32_t b = batch.weight_b[i], c = batch.weight_c[i];
    const Triangle& t = batch.triangle[i];
    const int sign = batch.sign(i);
    sums.add<kShared>(t.a, w, vertex_part(sign, kWholeWeight - b - c));
    sums.add<kShared>(t.b, w, vertex_part(sign, b));
    sums.add<kShared>(t.c, w, vertex_part(sign, c));
  }
}

void TileEnds::flush(unsigned mesh, Worker& worker) {
  EndBatch& batch = worker.batch[mesh];
  if (batch.size == 0) return;
  fetch(mesh, batch);
  const bool places = batch.out[0] != nullptr;
  EndWork work = work_;
  work.weights = places || vertices_;
  if (!work_on_ends(work, batch, worker.sums[mesh])) weigh_one_by_one(batch);
  if (places)
    for (std::size_t i = 0; i < batch.size; ++i)
      *batch.out[i] = make_span_end(mesh, batch.face[i], {0, batch.weight_b[i], batch.weight_c[i]});
  if (vertices_) workers_.count() > 1 ? add_to_vertices<true>(mesh, batch) : add_to_vertices<false>(mesh, batch);
  batch.size = 0;
}

/// There must be room.
void TileEnds::add(EndPlace place, std::uint32_t cell, SpanEnd* out, Worker& worker) const {
  EndBatch& batch = worker.batch[place.mesh];
  const std::size_t i = batch.size++;
  batch.face[i] = place.face;
  batch.cell[i] = cell;
  batch.out[i] = out;
  __builtin_prefetch(&meshes_[place.mesh].triangles[place.face]);
}

void TileEnds::make_room(std::size_t ends, Worker& worker) {
  for (unsigned mesh = 0; mesh < mesh_count_; ++mesh)
    if (worker.batch[mesh].size + ends > EndBatch::kCapacity) flush(mesh, worker);
}

void TileEnds::take_row(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, unsigned number,
                        RecordList<SpanEnds>* out) {
  constexpr std::size_t kAtOnce = 32;
  if (spans.empty()) return;
  Worker& worker = scratch_[number];
  if (worker.begin.size() < spans.size() + kMaxLanes) {
    worker.begin.resize(spans.size() + kMaxLanes);
    worker.end.resize(spans.size() + kMaxLanes);
  }
  const Window& tile = sides[0].tile();
  const std::uint32_t v = tile.first_v + row, row_begin = v * work_.grid.columns;
  Layers* const second = mesh_count_ == 2 ? &sides[1] : nullptr;
  const bool deep = sides[0].any_deep() || (second != nullptr && second->any_deep());
  find_row_ends({{&sides[0], second}, row, row_begin + tile.first_u, spans}, {worker.begin.data(), worker.end.data()});
  const std::uint32_t* const faces[2] = {sides[0].face(), second != nullptr ? second->face() : nullptr};
  const auto face_at = [&](std::uint32_t at) { return faces[at >> 31] + (at & ~RowEnds::kSecond); };
  SpanEnds* const to = out != nullptr ? out->room(spans.size()) : nullptr;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (i % kAtOnce == 0) {
      make_room(2 * kAtOnce, worker);
      // Faces are farther away in memory than keys, which the walk has just read.
      for (std::size_t k = i; k < std::min(i + kAtOnce, spans.size()); ++k) {
        if (worker.begin[k] == RowEnds::kUnsure) continue;
        __builtin_prefetch(face_at(worker.begin[k]));
        __builtin_prefetch(face_at(worker.end[k]));
      }
    }
    const std::uint32_t begin = worker.begin[i], end = worker.end[i], u = spans[i].column - row_begin;
    SpanPlaces places;
    if (begin == RowEnds::kUnsure || deep) [[unlikely]]
      places = find_one(sides, row * sides[0].stride() + (u - tile.first_u), spans[i], u, v);
    else
      places = {{begin >> 31, *face_at(begin)}, {end >> 31, *face_at(end)}};
    add(places.begin, EndBatch::pack(u, v, false), to != nullptr ? &to[i].begin : nullptr, worker);
    add(places.end, EndBatch::pack(u, v, true), to != nullptr ? &to[i].end : nullptr, worker);
  }
  if (out == nullptr) return;
  finish_tile(number);  // before the list moves
  out->added(spans.size());
}

void TileEnds::finish_tile(unsigned number) {
  for (unsigned mesh = 0; mesh < mesh_count_; ++mesh) flush(mesh, scratch_[number]);
}

void ViewTiles::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  const Window w = tiling_.window(tile);
  ColumnCounts counts;  // are not wanted
  SpanList &spans = spans_[worker], &inside_out = inside_out_[worker];
  for (std::uint32_t row = 0; row < w.end_v - w.first_v; ++row) {
    spans.clear();
    inside_out.clear();
    const RowSpans out{(w.first_v + row) * grid_.columns + w.first_u, thickness_, spans, counts};
    if (self_)
      walk_self(sides[0], row, out, inside_out);
    else
      walk_pair(sides[0], sides[1], row, out);
    ends_.take_row(sides, row, {spans.data(), spans.size()}, worker, nullptr);
  }
  ends_.finish_tile(worker);
}

}  // namespace lamella::software
