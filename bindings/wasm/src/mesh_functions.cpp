#include "calls.hpp"
#include "fields.hpp"

namespace lamella::wasm {
namespace {

void write_held_mesh(Writer& w, std::unique_ptr<Box<HeldMesh>> box) {
  HeldMesh& mesh = box->value;
  FieldWriter visit(w);
  const double id = hold(std::move(box));
  visit("$", id);
  if (mesh.wide.empty())
    visit.array<float>("positions", mesh.positions);
  else
    visit.array<double>("positions", mesh.wide);
  visit.array<std::uint32_t>("triangles", mesh.triangles);
  visit("origin", mesh.origin);
  visit.finish();
}

/// Room for a mesh; JavaScript fills it.
void new_mesh(const Value& arguments, Writer& w) {
  auto box = std::make_unique<Box<HeldMesh>>();
  const auto vertices = argument<std::uint32_t>(arguments, "vertices");
  if (argument_or(arguments, "wide", false))
    box->value.wide.resize(vertices);
  else
    box->value.positions.resize(vertices);
  box->value.triangles.resize(argument<std::uint32_t>(arguments, "triangles"));
  box->value.origin = argument_or(arguments, "origin", Vec3d{});
  write_held_mesh(w, std::move(box));
}

std::span<const std::byte> bytes_of(const Value& arguments) {
  return std::as_bytes(array_of<const std::uint8_t, std::uint8_t>(arguments, "bytes"));
}

ReadOptions read_limits(const Value& arguments) {
  ReadOptions options;
  if (!arguments["maxMemory"].is_null()) options.max_memory = argument<std::uint64_t>(arguments, "maxMemory");
  return options;
}

void read_a_mesh(const Value& arguments, Writer& w) {
  write_mesh(w, read_mesh(bytes_of(arguments), argument<MeshFormat>(arguments, "format"),
                          argument_or(arguments, "name", std::string("memory")), read_limits(arguments)));
}

void read_some_parts(const Value& arguments, Writer& w) {
  std::vector<MeshPart> parts = read_parts(
      bytes_of(arguments), argument<MeshFormat>(arguments, "format"), argument_or(arguments, "split", Split::automatic),
      argument_or(arguments, "name", std::string("memory")), read_limits(arguments));
  w.list(parts.size());
  for (MeshPart& part : parts) {
    w.list(2);
    w.text(part.name);
    write_mesh(w, std::move(part.mesh));
  }
}

struct Points {
  std::vector<Vec3d> points;
};
template <class Visit>
void fields(Visit& visit, Points& a) {
  visit.template array<double>("points", a.points);
}
void read_some_points(const Value& arguments, Writer& w) {
  answer(w, Points{read_wide_points(bytes_of(arguments), argument<MeshFormat>(arguments, "format"),
                                    argument_or(arguments, "name", std::string("memory")), read_limits(arguments))});
}

void inspect_mesh(const Value& arguments, Writer& w) { write(w, inspect(mesh_of(arguments, "mesh"))); }
void bounds_of_mesh(const Value& arguments, Writer& w) { write(w, bounds(mesh_of(arguments, "mesh"))); }
void volume_of_mesh(const Value& arguments, Writer& w) { w.number(signed_volume(mesh_of(arguments, "mesh"))); }
void is_mesh_closed(const Value& arguments, Writer& w) { w.boolean(is_closed(mesh_of(arguments, "mesh"))); }
void close_mesh(const Value& arguments, Writer& w) {
  const MeshView mesh = mesh_of(arguments, "mesh");
  write_mesh(w, closed(mesh, find_closure(mesh)));
}
void transform_mesh(const Value& arguments, Writer& w) {
  write_mesh(w, transformed(mesh_of(arguments, "mesh"), pose_of(arguments["pose"], "pose")));
}
void split_mesh(const Value& arguments, Writer& w) {
  std::vector<Mesh> parts = split_components(mesh_of(arguments, "mesh"));
  w.list(parts.size());
  for (Mesh& part : parts) write_mesh(w, std::move(part));
}

struct Repaired {
  RepairReport report;
  std::vector<std::uint32_t> vertex_map;
};
template <class Visit>
void fields(Visit& visit, Repaired& a) {
  visit("report", a.report);
  visit.template array<std::uint32_t>("vertexMap", a.vertex_map);
}
void repair_mesh(const Value& arguments, Writer& w) {
  RepairResult result = repair(mesh_of(arguments, "mesh"), read_options<RepairOptions>(arguments["options"]));
  w.list(2);
  write_mesh(w, std::move(result.mesh));
  answer(w, Repaired{result.report, std::move(result.vertex_map)});
}

}  // namespace

void write_mesh(Writer& w, Mesh mesh) {
  auto box = std::make_unique<Box<HeldMesh>>();
  box->value = {std::move(mesh.positions), {}, std::move(mesh.triangles), mesh.origin};
  write_held_mesh(w, std::move(box));
}

Functions mesh_functions() {
  static constexpr Function kAll[] = {
      {"mesh", new_mesh},
      {"readMesh", read_a_mesh},
      {"readParts", read_some_parts},
      {"readPoints", read_some_points},
      {"inspect", inspect_mesh},
      {"bounds", bounds_of_mesh},
      {"signedVolume", volume_of_mesh},
      {"isClosed", is_mesh_closed},
      {"closed", close_mesh},
      {"transformed", transform_mesh},
      {"splitComponents", split_mesh},
      {"repair", repair_mesh},
  };
  return kAll;
}

}  // namespace lamella::wasm
