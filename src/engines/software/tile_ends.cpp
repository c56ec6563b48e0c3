#include "engines/software/tile_ends.hpp"

#include <numeric>

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

EndTriangle on_lattice(MeshView mesh, const Triangle& t, const Grid& grid, const Lattice& lattice) {
  return {mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c], grid, lattice};
}

}  // namespace

void TileEnds::start_vertices(std::span<const SampledMesh> meshes) {
  if (!vertices_) return;
  for (std::size_t i = 0; i < meshes.size(); ++i) vertex_sums_[i].start(meshes[i].mesh.positions.size());
}

void TileEnds::start_view(std::span<const SampledMesh> meshes, const Grid& grid) {
  grid_ = grid;
  lattice_ = make_lattice(grid);
  mesh_count_ = static_cast<unsigned>(meshes.size());
  for (std::size_t i = 0; i < meshes.size(); ++i) meshes_[i] = meshes[i].mesh;
  for (Worker& w : scratch_) {
    for (EndSums& sums : w.sums) sums = {};
    for (EndBatch& batch : w.batch) batch.size = 0;  // of a view that was not finished
  }
}

ViewSums TileEnds::view_sums() const {
  ViewSums out{grid_, {}};
  for (const Worker& w : scratch_)
    for (unsigned m = 0; m < kMostSides; ++m) out.mesh[m].add(w.sums[m]);
  return out;
}

/// The ends of one span, where crossings tie or lie beyond the layers.
SpanPlaces TileEnds::find_one(std::span<Layers> sides, std::uint32_t column, const Span& span, std::uint32_t u,
                              std::uint32_t v) const {
  const auto depth_of = [&](unsigned mesh, std::uint32_t face) {
    const EndTriangle t = on_lattice(meshes_[mesh], meshes_[mesh].triangles[face], grid_, lattice_);
    return t.depth(t.weights(u, v));
  };
  const TileColumn a(sides[0], column);
  if (mesh_count_ == 1) return find_span_ends(a, NoColumn{}, span.begin, span.end, kCoveredTwice, depth_of);
  return find_span_ends(a, TileColumn(sides[1], column), span.begin, span.end, kInside, depth_of);
}

/// The triangles that end the spans of a row.
void TileEnds::find(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, Worker& worker) const {
  if (worker.places.size() < spans.size()) {
    worker.places.resize(spans.size());
    worker.unsure.resize(spans.size() + 1);
  }
  const Window& tile = sides[0].tile();
  const std::uint32_t v = tile.first_v + row, first = v * grid_.columns + tile.first_u;
  const Layers* const second = mesh_count_ == 2 ? &sides[1] : nullptr;
  const bool deep = sides[0].any_deep() || (second != nullptr && second->any_deep());
  std::size_t unsure =
      find_row_ends({{&sides[0], second}, row, first, spans}, worker.places.data(), worker.unsure.data());
  if (deep) {  // crossings that were not looked at
    unsure = spans.size();
    std::iota(worker.unsure.begin(), worker.unsure.begin() + static_cast<std::ptrdiff_t>(unsure), 0u);
  }
  for (const std::uint32_t i : std::span(worker.unsure).first(unsure)) {
    const std::uint32_t in_row = spans[i].column - first;
    worker.places[i] = find_one(sides, row * sides[0].stride() + in_row, spans[i], tile.first_u + in_row, v);
  }
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

void TileEnds::weigh(EndBatch& batch) const {
  if (weigh_ends(grid_, lattice_, batch)) return;
  for (std::size_t i = 0; i < batch.size; ++i) {
    const EndTriangle t(batch.corner[0][i], batch.corner[1][i], batch.corner[2][i], grid_, lattice_);
    const EndWeights w = t.weights(batch.u[i], batch.v[i]);
    batch.weight_b[i] = w.b;
    batch.weight_c[i] = w.c;
  }
}

template <bool kShared>
void TileEnds::add_to_vertices(unsigned mesh, const EndBatch& batch) {
  VertexSums& sums = vertex_sums_[mesh];
  const int w = grid_.w();
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::uint32_t b = batch.weight_b[i], c = batch.weight_c[i];
    const Triangle& t = batch.triangle[i];
    sums.add<kShared>(t.a, w, vertex_part(batch.sign[i], kWholeWeight - b - c));
    sums.add<kShared>(t.b, w, vertex_part(batch.sign[i], b));
    sums.add<kShared>(t.c, w, vertex_part(batch.sign[i], c));
  }
}

void TileEnds::flush(unsigned mesh, Worker& worker) {
  EndBatch& batch = worker.batch[mesh];
  if (batch.size == 0) return;
  fetch(mesh, batch);
  const bool places = batch.out[0] != nullptr;
  if (places || vertices_) weigh(batch);
  if (places)
    for (std::size_t i = 0; i < batch.size; ++i)
      *batch.out[i] = make_span_end(mesh, batch.face[i], {0, batch.weight_b[i], batch.weight_c[i]});
  if (sums_) sum_up_ends(grid_, batch, worker.sums[mesh]);
  if (vertices_) workers_.count() > 1 ? add_to_vertices<true>(mesh, batch) : add_to_vertices<false>(mesh, batch);
  batch.size = 0;
}

void TileEnds::add(EndPlace place, std::uint32_t u, std::uint32_t v, int sign, SpanEnd* out, Worker& worker) {
  EndBatch& batch = worker.batch[place.mesh];
  if (batch.size == EndBatch::kCapacity) flush(place.mesh, worker);
  const std::size_t i = batch.size++;
  batch.face[i] = place.face;
  batch.out[i] = out;
  batch.u[i] = u;
  batch.v[i] = v;
  batch.sign[i] = sign;
  __builtin_prefetch(&meshes_[place.mesh].triangles[place.face]);
}

void TileEnds::take_row(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, unsigned number,
                        RecordList<SpanEnds>* out) {
  if (spans.empty()) return;
  Worker& worker = scratch_[number];
  find(sides, row, spans, worker);
  const std::uint32_t v = sides[0].tile().first_v + row;
  SpanEnds* const to = out != nullptr ? out->room(spans.size()) : nullptr;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::uint32_t u = spans[i].column - v * grid_.columns;
    add(worker.places[i].begin, u, v, -1, to != nullptr ? &to[i].begin : nullptr, worker);
    add(worker.places[i].end, u, v, 1, to != nullptr ? &to[i].end : nullptr, worker);
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
