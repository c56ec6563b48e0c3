#pragma once

// The functions of the module, by name. Each takes its arguments as a record and writes its answer.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "convert.hpp"
#include "lamella/mesh.hpp"

namespace lamella::wasm {

struct Function {
  std::string_view name;
  void (*call)(const Value& arguments, Writer& answer);
};
using Functions = std::span<const Function>;

[[nodiscard]] Functions mesh_functions();
[[nodiscard]] Functions query_functions();
[[nodiscard]] Functions measure_functions();
[[nodiscard]] Functions scene_functions();
[[nodiscard]] Functions response_functions();
[[nodiscard]] Functions image_functions();
/// Those that pages rarely need: in lamella-engine-full alone, refused in lamella-engine.
[[nodiscard]] Functions extra_functions();
/// Why an engine that the library lists is not in this module; empty when it is.
[[nodiscard]] std::string_view missing_engine(std::string_view name);

/// What JavaScript holds by number until it frees it.
class Held {
 public:
  /// `kind`: an address for each type. Names of types, which dynamic_cast needs, are left out of the module.
  explicit Held(const void* kind) : kind_(kind) {}
  virtual ~Held() = default;
  [[nodiscard]] const void* kind() const { return kind_; }

 private:
  const void* kind_;
};
template <class T>
struct Box : Held {
  template <class... Arguments>
  explicit Box(Arguments&&... arguments) : Held(&kKind), value(std::forward<Arguments>(arguments)...) {}
  static inline char kKind = 0;
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
  Held& held = held_argument(arguments, name);
  if (held.kind() != &Box<T>::kKind) fail_kind(name);
  return static_cast<Box<T>&>(held).value;
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
