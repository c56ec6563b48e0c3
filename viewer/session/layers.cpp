#include "answer/layers.hpp"

#include <utility>

#include "lamella/error.hpp"
#include "lamella/ldi.hpp"
#include "session/queries.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostColumns = 2048;                   ///< and rows
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 27;  ///< of all layers of depth

Json columns_json(const Ldi& ldi, Vec3d origin, PacketWriter& writer) {
  std::vector<float> depths(ldi.crossings.size());
  std::vector<std::uint8_t> entering(depths.size());
  for (std::size_t i = 0; i < depths.size(); ++i) {
    depths[i] = ldi.crossings[i].depth();
    entering[i] = ldi.crossings[i].entry() ? 1 : 0;
  }
  return {{"grid", grid_json(ldi.grid, origin)},
          {"offsets", writer.add(ldi.offsets)},
          {"depths", writer.add(std::move(depths))},
          {"entering", writer.add(std::move(entering))}};
}

/// Layers are images: one for each crossing of the fullest column.
void check_layers(const Ldi& ldi) {
  const std::uint64_t layers = validate(ldi).max_layers;
  if (layers * ldi.grid.column_count() > kMostValues)
    throw Error("the mesh has " + std::to_string(layers) + " layers, too many at this resolution; choose a lower one");
}

/// An empty LDI where there is no grid.
Ldi sample(Engine& engine, MeshView mesh, const Grid& grid) {
  Ldi ldi;
  ldi.offsets.push_back(0);
  if (grid.column_count() != 0) engine.build(mesh, grid, ldi);
  return ldi;
}

Json of_one(Engine& engine, Object& object, const Options& options, PacketWriter& writer) {
  MeshView mesh = object.placed();
  const Vec3d origin = std::exchange(mesh.origin, {});  // as the command line: layers are those in the mesh's frame
  const Grid grid = answer::own_grid(engine.bounds(mesh), options);
  const Ldi ldi = sample(engine, mesh, grid);
  answer::SampledLayers layers;
  if (grid.column_count() != 0) {
    check_layers(ldi);
    layers = answer::counted_layers(grid, engine.layers(mesh, grid));
  }
  Json found = answer::layers_json(layers, engine.name(), options.resolution);
  if (!(origin == Vec3d{})) found["origin"] = answer::to_json(origin);
  return {{"answer", std::move(found)}, {"columns", columns_json(ldi, origin, writer)}};
}

/// Both on the grid of the box that they share.
Json of_two(Engine& engine, Object& a, Object& b, const Options& options, PacketWriter& writer) {
  const MeshView first = a.placed(), second = b.placed();
  const Vec3d origin = first.origin;
  const std::vector<Vec3> moved = second.origin == origin ? std::vector<Vec3>() : placed_positions(second, {}, origin);
  const MeshView mesh_a{.positions = first.positions, .triangles = first.triangles};
  const MeshView mesh_b{.positions = moved.empty() ? second.positions : std::span<const Vec3>(moved),
                        .triangles = second.triangles};
  const auto voi = choose_shared_voi(engine.bounds(mesh_a), engine.bounds(mesh_b), options.axis);
  const Grid grid = voi ? square_grid(voi->box, voi->axis, options.resolution) : Grid{};
  const Ldi ldi_a = sample(engine, mesh_a, grid), ldi_b = sample(engine, mesh_b, grid);
  Json found{{"query", "layers"}, {"engine", engine.name()}};
  answer::add_grid(found, grid, origin, options.resolution);
  found["crossings"] = ldi_a.crossings.size() + ldi_b.crossings.size();
  return {{"answer", std::move(found)},
          {"columns", columns_json(ldi_a, origin, writer)},
          {"columns_b", columns_json(ldi_b, origin, writer)}};
}

}  // namespace

Json query_layers(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Options options = read_options(workspace, request);
  if (options.resolution > kMostColumns) throw Error("'resolution' is above 2048, the most for layers");
  if (options.engine == "automatic") options.engine = "software";
  const std::unique_ptr<Engine> engine = make_engine(options);
  if (request.has("id")) return of_one(*engine, workspace.objects.at(request.id("id")), options, writer);
  return of_two(*engine, workspace.objects.at(request.id("a")), workspace.objects.at(request.id("b")), options, writer);
}

}  // namespace lamella::session
