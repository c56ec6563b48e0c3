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

EndTriangle on_lattice(MeshView mesh, const Triangle& t, const FaceWork& work) {
  return {mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c], work.grid, work.lattice};
}

}  // namespace

void TileEnds::start_vertices(std::span<const SampledMesh> meshes) {
  if (!work_.weights) return;
  for (std::size_t i = 0; i < meshes.size(); ++i) vertex_sums_[i].start(meshes[i].mesh.positions.size());
}

void TileEnds::start_view(std::span<const SampledMesh> meshes, const Grid& grid) {
  work_.grid = grid;
  work_.lattice = make_lattice(grid);
  mesh_count_ = static_cast<unsigned>(meshes.size());
  for (std::size_t i = 0; i < meshes.size(); ++i) meshes_[i] = meshes[i].mesh;
  for (Worker& w : scratch_) {
    for (EndSums& sums : w.sums) sums = {};
    if (!w.any_ends) continue;  // of a view that was not finished
    for (unsigned m = 0; m < kMostSides; ++m) w.begins[m].clear(), w.ends[m].clear();
    w.any_ends = false;
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

// ---- places, one by one

void TileEnds::add_place(EndPlace place, std::uint32_t cell, SpanEnd* out, Worker& worker) {
  EndBatch& batch = worker.places[place.mesh];
  const std::size_t i = batch.size++;
  batch.face[i] = place.face;
  batch.cell[i] = cell;
  batch.out[i] = out;
}

void TileEnds::write_places(unsigned mesh, EndBatch& batch) const {
  const MeshView& m = meshes_[mesh];
  for (std::size_t i = 0; i < batch.size; ++i)
    for (int k = 0; k < 3; ++k) batch.corner[k][i] = m.positions[m.triangles[batch.face[i]][k]];
  const bool all = weigh_ends(work_.grid, work_.lattice, batch);
  for (std::size_t i = 0; i < batch.size; ++i) {
    EndWeights w{0, batch.weight_b[i], batch.weight_c[i]};
    if (!all)  // triangles reach so far that doubles do not suffice
      w = EndTriangle(batch.corner[0][i], batch.corner[1][i], batch.corner[2][i], work_.grid, work_.lattice)
              .weights(batch.u(i), batch.v(i));
    *batch.out[i] = make_span_end(mesh, batch.face[i], w);
  }
  batch.size = 0;
}

void TileEnds::find_places(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, unsigned number,
                           RecordList<SpanEnds>& out) {
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
  const auto face_at = [&](std::uint32_t at) { return faces[at >> 31][at & ~RowEnds::kSecond]; };
  SpanEnds* const to = out.room(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (i % kAtOnce == 0)
      for (unsigned mesh = 0; mesh < mesh_count_; ++mesh)
        if (worker.places[mesh].size + 2 * kAtOnce > EndBatch::kCapacity) write_places(mesh, worker.places[mesh]);
    const std::uint32_t begin = worker.begin[i], end = worker.end[i], u = spans[i].column - row_begin;
    SpanPlaces places;
    if (begin == RowEnds::kUnsure || deep) [[unlikely]]
      places = find_one(sides, row * sides[0].stride() + (u - tile.first_u), spans[i], u, v);
    else
      places = {{begin >> 31, face_at(begin)}, {end >> 31, face_at(end)}};
    add_place(places.begin, EndBatch::pack(u, v), &to[i].begin, worker);
    add_place(places.end, EndBatch::pack(u, v), &to[i].end, worker);
  }
  for (unsigned mesh = 0; mesh < mesh_count_; ++mesh) write_places(mesh, worker.places[mesh]);  // before the list moves
  out.added(spans.size());
}

// ---- sums, by triangle

/// Corners of all triangles: first their numbers, then their positions, each fetched ahead.
void TileEnds::fetch(unsigned mesh, std::span<const FaceEnds> ends, FaceBatch& batch) const {
  const auto triangles = meshes_[mesh].triangles;
  const auto positions = meshes_[mesh].positions;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Triangle t = batch.triangle[i] = triangles[ends[i].face];
    for (const std::uint32_t corner : {t.a, t.b, t.c}) {
      __builtin_prefetch(&positions[corner]);
      if (work_.weights) vertex_sums_[mesh].prefetch(corner);
    }
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Triangle t = batch.triangle[i];
    batch.corner[0][i] = positions[t.a];
    batch.corner[1][i] = positions[t.b];
    batch.corner[2][i] = positions[t.c];
  }
}

template <bool kShared>
void TileEnds::add_to_vertices(unsigned mesh, int sign, std::span<const FaceEnds> ends, const FaceBatch& batch) {
  VertexSums& sums = vertex_sums_[mesh];
  const int w = work_.grid.w();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const CornerParts parts = corner_parts(batch.weights(i), sign, ends[i].count, ends[i].u, ends[i].v);
    const Triangle& t = batch.triangle[i];
    sums.add<kShared>(t.a, w, parts.a);
    sums.add<kShared>(t.b, w, parts.b);
    sums.add<kShared>(t.c, w, parts.c);
  }
}

/// Empties the list of begins (`sign` -1) or ends (1).
void TileEnds::sum_up_list(unsigned mesh, int sign, Worker& worker) {
  FaceTable& table = sign < 0 ? worker.begins[mesh] : worker.ends[mesh];
  const auto ends = table.list();
  FaceBatch& batch = worker.faces;
  EndSums& sums = worker.sums[mesh];
  for (const FaceEnds& e : ends) sums.add_places(sign, e.count, e.u, e.v);
  fetch(mesh, ends, batch);
  if (!sum_faces(work_, ends, batch, sums))
    for (std::size_t i = 0; i < ends.size(); ++i)
      batch.set(i, corner_weights(on_lattice(meshes_[mesh], batch.triangle[i], work_), work_.grid));
  if (work_.weights)
    workers_.count() > 1 ? add_to_vertices<true>(mesh, sign, ends, batch)
                         : add_to_vertices<false>(mesh, sign, ends, batch);
  table.clear_list();
}

/// Adds ends in row v that are all begins (`sign` -1) or all ends (1).
void TileEnds::sum_up(unsigned mesh, int sign, std::span<const FoundEnd> found, std::uint32_t v, Worker& worker) {
  FaceTable& table = sign < 0 ? worker.begins[mesh] : worker.ends[mesh];
  while (!found.empty()) {
    const auto some = found.first(std::min(found.size(), table.room()));
    for (const FoundEnd& e : some) {
      __builtin_prefetch(&meshes_[mesh].triangles[e.face]);
      table.add(e.face, e.u, v);
    }
    found = found.subspan(some.size());
    if (table.room() == 0) sum_up_list(mesh, sign, worker);
  }
}

FoundEnds* TileEnds::start_row(unsigned worker) {
  if (!sums_) return nullptr;
  scratch_[worker].found.clear();
  return &scratch_[worker].found;
}

void TileEnds::sum_up_row(std::span<Layers> sides, std::uint32_t row, unsigned number) {
  Worker& worker = scratch_[number];
  FoundEnds& found = worker.found;
  const Window& tile = sides[0].tile();
  const std::uint32_t v = tile.first_v + row, row_begin = v * work_.grid.columns;
  for (std::size_t i = 0; i < found.unsure.size(); ++i) {
    const Span& span = found.unsure.data()[i];
    const std::uint32_t u = span.column - row_begin;
    const SpanPlaces places = find_one(sides, row * sides[0].stride() + (u - tile.first_u), span, u, v);
    found.begins[places.begin.mesh].add({places.begin.face, u});
    found.ends[places.end.mesh].add({places.end.face, u});
  }
  for (unsigned mesh = 0; mesh < mesh_count_; ++mesh) {
    const auto all = [](const RecordList<FoundEnd>& list) { return std::span(list.data(), list.size()); };
    worker.any_ends = worker.any_ends || found.begins[mesh].size() + found.ends[mesh].size() != 0;
    sum_up(mesh, -1, all(found.begins[mesh]), v, worker);
    sum_up(mesh, 1, all(found.ends[mesh]), v, worker);
  }
}

void TileEnds::finish_tile(unsigned number) {
  Worker& worker = scratch_[number];
  if (!worker.any_ends) return;
  for (unsigned mesh = 0; mesh < mesh_count_; ++mesh)
    for (const int sign : {-1, 1}) {
      FaceTable& table = sign < 0 ? worker.begins[mesh] : worker.ends[mesh];
      for (std::size_t slot = 0; slot < FaceTable::kSlots;) {
        slot = table.move_slots(slot);
        sum_up_list(mesh, sign, worker);
      }
    }
  worker.any_ends = false;
}

void ViewTiles::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  const Window w = tiling_.window(tile);
  ColumnCounts counts;  // are not wanted
  SpanList &spans = spans_[worker], &inside_out = inside_out_[worker];
  for (std::uint32_t row = 0; row < w.end_v - w.first_v; ++row) {
    spans.clear();
    inside_out.clear();
    const RowSpans out{(w.first_v + row) * grid_.columns + w.first_u, thickness_, spans, counts,
                       ends_.start_row(worker)};
    if (self_)
      walk_self(sides[0], row, out, inside_out);
    else
      walk_pair(sides[0], sides[1], row, out);
    ends_.sum_up_row(sides, row, worker);
  }
  ends_.finish_tile(worker);
}

}  // namespace lamella::software
