#pragma once

// The functions of the module, by name. Each takes its arguments as a record and writes its answer.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "convert.hpp"
#include "lamella/mesh.hpp"

namespace lamella::wasm {

using Function = void (*)(const Value& arguments, Writer& answer);
using Functions = std::map<std::string_view, Function>;

void add_mesh_functions(Functions& to);
void add_query_functions(Functions& to);
void add_measure_functions(Functions& to);
void add_scene_functions(Functions& to);
void add_response_functions(Functions& to);
// Those that pages rarely need: in lamella-engine-full alone.
void add_image_functions(Functions& to);
void add_extra_functions(Functions& to);

/// What JavaScript holds by number until it frees it.
class Held {
 public:
  virtual ~Held() = default;
};
template <class T>
struct Box : Held {
  template <class... Arguments>
  explicit Box(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  T value;
};

[[nodiscard]] double hold(std::unique_ptr<Held> object);
void release(double id);
/// Throws Error for a number of nothing.
[[nodiscard]] Held& held_argument(const Value& arguments, const char* name);
[[noreturn]] void fail_kind(const char* name);

template <class T>
[[nodiscard]] double keep(T value) {
  return hold(std::make_unique<Box<T>>(std::move(value)));
}
template <class T>
[[nodiscard]] T& get(const Value& arguments, const char* name) {
  auto* box = dynamic_cast<Box<T>*>(&held_argument(arguments, name));
  if (box == nullptr) fail_kind(name);
  return box->value;
}

/// A mesh in the module's memory. JavaScript writes into its arrays.
struct HeldMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3d> wide;  ///< in place of positions
  std::vector<Triangle> triangles;
  Vec3d origin{};

  [[nodiscard]] MeshView view() const { return {positions, triangles, origin, wide}; }
};
[[nodiscard]] inline MeshView mesh_of(const Value& arguments, const char* name) {
  return get<HeldMesh>(arguments, name).view();
}
/// Holds the mesh; writes its number and arrays.
void write_mesh(Writer& w, Mesh mesh);

/// Points in floats or doubles.
template <class Call>
auto with_points(const Value& arguments, const char* name, const Call& call) {
  const auto* array = arguments[name].get<Array>();
  if (array == nullptr) fail_option(name, "a Float32Array or Float64Array");
  if (array->kind == Kind::f64) return call(array->of<const Vec3d, double>(name));
  return call(array->of<const Vec3, float>(name));
}
template <class T, class Number>
[[nodiscard]] std::span<T> array_of(const Value& arguments, const char* name) {
  const auto* array = arguments[name].get<Array>();
  if (array == nullptr) fail_option(name, "a typed array");
  return array->of<T, Number>(name);
}

/// Holds an answer and writes it, with its number as `$`: its arrays stay until it is freed.
template <class T>
void answer(Writer& w, T value) {
  auto box = std::make_unique<Box<T>>(std::move(value));
  T& kept = box->value;
  FieldWriter visit(w);
  const double id = hold(std::move(box));
  visit("$", id);
  fields(visit, kept);
  visit.finish();
}

}  // namespace lamella::wasm
