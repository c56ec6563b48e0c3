#include "engines/software/tile_ends.hpp"

#include "query/column_walk.hpp"

namespace lamella::software {
namespace {

/// A column of a tile, as find_span_ends() expects it: without crossings beyond the layers, and with them.
struct LayerColumn {
  const std::uint32_t* keys;
  const std::uint32_t* faces;
  std::size_t plane;
  std::uint32_t size;

  LayerColumn(const Layers& layers, std::uint32_t column)
      : keys(layers.key() + column),
        faces(layers.face() + column),
        plane(layers.plane()),
        size(layers.count()[column]) {}
  [[nodiscard]] std::uint32_t count() const { return size; }
  [[nodiscard]] std::uint32_t key(std::uint32_t i) const { return keys[i * plane]; }
  [[nodiscard]] std::uint32_t face(std::uint32_t i) const { return faces[i * plane]; }
};

struct DeepColumn {
  LayerColumn layers;
  std::span<const DeepCrossing> deep;

  DeepColumn(Layers& of, std::uint32_t column)
      : layers(of, column), deep(of.any_deep() ? of.deep(column) : std::span<const DeepCrossing>()) {}
  [[nodiscard]] std::uint32_t count() const { return layers.size + static_cast<std::uint32_t>(deep.size()); }
  [[nodiscard]] std::uint32_t key(std::uint32_t i) const {
    return i < layers.size ? layers.key(i) : deep[i - layers.size].key;
  }
  [[nodiscard]] std::uint32_t face(std::uint32_t i) const {
    return i < layers.size ? layers.face(i) : deep[i - layers.size].face;
  }
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
  for (Worker& w : scratch_)
    for (EndSums& sums : w.sums) sums = {};
}

ViewSums TileEnds::view_sums() const {
  ViewSums out{grid_, {}};
  for (const Worker& w : scratch_)
    for (unsigned m = 0; m < kMostSides; ++m) out.mesh[m].add(w.sums[m]);
  return out;
}

template <class ColumnA, class ColumnB>
SpanPlaces TileEnds::places(const ColumnA& a, const ColumnB& b, const Span& span, std::uint32_t u,
                            std::uint32_t v) const {
  const auto depth_of = [&](unsigned mesh, std::uint32_t face) {
    const EndTriangle t = on_lattice(meshes_[mesh], meshes_[mesh].triangles[face], grid_, lattice_);
    return t.depth(t.weights(u, v));
  };
  return find_span_ends(a, b, span.begin, span.end, mesh_count_ == 1 ? kCoveredTwice : kInside, depth_of);
}

/// The triangles that end the spans of a row.
void TileEnds::find(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, std::vector<End>& ends) {
  const Window& tile = sides[0].tile();
  const std::uint32_t v = tile.first_v + row;
  const bool deep = sides[0].any_deep() || (mesh_count_ == 2 && sides[1].any_deep());
  ends.clear();
  for (const Span& span : spans) {
    const std::uint32_t u = span.column - v * grid_.columns;
    const std::uint32_t column = row * sides[0].stride() + (u - tile.first_u);
    SpanPlaces found;
    if (mesh_count_ == 1)
      found = deep ? places(DeepColumn(sides[0], column), NoColumn{}, span, u, v)
                   : places(LayerColumn(sides[0], column), NoColumn{}, span, u, v);
    else
      found = deep ? places(DeepColumn(sides[0], column), DeepColumn(sides[1], column), span, u, v)
                   : places(LayerColumn(sides[0], column), LayerColumn(sides[1], column), span, u, v);
    ends.push_back({found.begin.mesh, found.begin.face, u, -1, {}});
    ends.push_back({found.end.mesh, found.end.face, u, 1, {}});
    __builtin_prefetch(&meshes_[found.begin.mesh].triangles[found.begin.face]);
    __builtin_prefetch(&meshes_[found.end.mesh].triangles[found.end.face]);
  }
}

template <bool kShared>
void TileEnds::add(const End& end, std::uint32_t v, Worker& worker, SpanEnd* out) {
  const MeshView& mesh = meshes_[end.mesh];
  const Triangle& t = end.corners;
  if (out == nullptr && !vertices_) {
    const Vec3d n = unit_normal(mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]);
    worker.sums[end.mesh].add(end.sign, end.u, v, n, n[grid_.w()]);
    return;
  }
  const EndWeights weights = on_lattice(mesh, t, grid_, lattice_).weights(end.u, v);
  if (out != nullptr) *out = make_span_end(end.mesh, end.face, weights);
  if (!sums_) return;
  const Vec3d n = unit_normal(mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]);
  worker.sums[end.mesh].add(end.sign, end.u, v, n, n[grid_.w()]);
  if (!vertices_) return;
  VertexSums& sums = vertex_sums_[end.mesh];
  sums.add<kShared>(t.a, grid_.w(), vertex_part(end.sign, weights.a));
  sums.add<kShared>(t.b, grid_.w(), vertex_part(end.sign, weights.b));
  sums.add<kShared>(t.c, grid_.w(), vertex_part(end.sign, weights.c));
}

void TileEnds::take_row(std::span<Layers> sides, std::uint32_t row, std::span<const Span> spans, unsigned number,
                        RecordList<SpanEnds>* out) {
  if (spans.empty()) return;
  Worker& worker = scratch_[number];
  find(sides, row, spans, worker.ends);
  for (End& end : worker.ends) {
    const MeshView& mesh = meshes_[end.mesh];
    end.corners = mesh.triangles[end.face];
    for (const std::uint32_t corner : {end.corners.a, end.corners.b, end.corners.c}) {
      __builtin_prefetch(&mesh.positions[corner]);
      if (vertices_) vertex_sums_[end.mesh].prefetch(corner);
    }
  }
  const std::uint32_t v = sides[0].tile().first_v + row;
  SpanEnds* const to = out != nullptr ? out->room(spans.size()) : nullptr;
  const auto add_all = [&](auto shared) {
    for (std::size_t i = 0; i < worker.ends.size(); ++i) {
      SpanEnd* const place = to == nullptr ? nullptr : i % 2 == 0 ? &to[i / 2].begin : &to[i / 2].end;
      add<shared.value>(worker.ends[i], v, worker, place);
    }
  };
  workers_.count() > 1 ? add_all(std::true_type{}) : add_all(std::false_type{});
  if (out != nullptr) out->added(spans.size());
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
}

}  // namespace lamella::software
