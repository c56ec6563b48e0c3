#pragma once

// Numbers, vectors, options and answers as values. A struct is described once, by a function fields(visit, struct) that
// names its members: that serves for reading options and for writing answers.

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamella/math.hpp"
#include "lamella/mesh.hpp"
#include "lamella/object_id.hpp"
#include "value.hpp"

namespace lamella::wasm {

/// Names of an enumeration's values, in order. Specialised in fields.hpp.
template <class Enum>
struct Names;

// ------------------------------------------------------------------------------------------------------------ writing

template <class T>
void write(Writer& w, const T& x);

/// Arrays of plain numbers by reference: T is `Number`s, one after the other.
template <class Number, class T>
void write_array(Writer& w, std::span<const T> items) {
  static_assert(sizeof(T) % sizeof(Number) == 0);
  w.array(kKindOf<Number>, items.data(), items.size() * (sizeof(T) / sizeof(Number)));
}

/// Visits the fields of a struct and writes them as members of a record.
class FieldWriter {
 public:
  explicit FieldWriter(Writer& w) : w_(w), at_(w.begin_record()) {}
  template <class T>
  void operator()(const char* name, const T& x) {
    w_.name(name);
    write(w_, x);
    ++count_;
  }
  /// An array that stays where it is.
  template <class Number, class T>
  void array(const char* name, const std::vector<T>& items) {
    array<Number>(name, std::span<const T>(items));
  }
  template <class Number, class T>
  void array(const char* name, std::span<const T> items) {
    w_.name(name);
    write_array<Number>(w_, items);
    ++count_;
  }
  void finish() { w_.end_record(at_, count_); }

 private:
  Writer& w_;
  std::size_t at_;
  std::uint32_t count_ = 0;
};

template <class T>
void write(Writer& w, const T& x) {
  if constexpr (std::same_as<T, bool>) {
    w.boolean(x);
  } else if constexpr (std::is_arithmetic_v<T>) {
    w.number(static_cast<double>(x));
  } else if constexpr (std::is_enum_v<T>) {
    w.text(Names<T>::names[static_cast<std::size_t>(x)]);
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    w.text(x);
  } else if constexpr (std::same_as<T, Vec3> || std::same_as<T, Vec3d>) {
    w.list(3);
    for (int i = 0; i < 3; ++i) w.number(static_cast<double>(x[i]));
  } else if constexpr (std::same_as<T, ObjectId>) {
    w.number(x.number);
  } else {
    FieldWriter visit(w);
    fields(visit, const_cast<T&>(x));
    visit.finish();
  }
}
template <class T>
void write(Writer& w, const std::optional<T>& x) {
  if (x)
    write(w, *x);
  else
    w.null();
}
template <class T>
void write(Writer& w, const std::vector<T>& items) {
  w.list(items.size());
  for (const T& x : items) write(w, x);
}
template <class T, std::size_t N>
void write(Writer& w, const std::array<T, N>& items) {
  w.list(N);
  for (const T& x : items) write(w, x);
}

// ------------------------------------------------------------------------------------------------------------ reading

[[noreturn]] void fail_option(const char* name, const char* expected);
/// Throws Error for a member of a record that no field was read from.
void check_known(const Value& options, std::span<const char* const> known);

template <class T>
void read(const char* name, const Value& v, T& x);

class FieldReader {
 public:
  explicit FieldReader(const Value& options) : options_(options) {}
  template <class T>
  void operator()(const char* name, T& x) {
    known_.push_back(name);
    const Value& v = options_[name];
    if (!v.is_null()) read(name, v, x);
  }
  void finish() const { check_known(options_, known_); }

 private:
  const Value& options_;
  std::vector<const char*> known_;
};

/// Options that are not given keep their defaults.
template <class T>
[[nodiscard]] T read_options(const Value& options) {
  T out;
  FieldReader visit(options);
  fields(visit, out);
  visit.finish();
  return out;
}

// What does not depend on a type is compiled once. Each throws Error for a value that is something else.
[[nodiscard]] bool read_boolean(const char* name, const Value& v);
[[nodiscard]] double read_number(const char* name, const Value& v);
/// A whole number of at least `least` and at most `most`.
[[nodiscard]] double read_whole(const char* name, const Value& v, double least, double most);
[[nodiscard]] std::string_view read_text(const char* name, const Value& v);
[[nodiscard]] std::size_t read_name(const char* name, const Value& v, std::span<const char* const> names);
/// `size` values; `expected` says so.
[[nodiscard]] const Value::List& read_list(const char* name, const Value& v, std::size_t size, const char* expected);

template <class T>
void read(const char* name, const Value& v, T& x) {
  if constexpr (std::same_as<T, bool>) {
    x = read_boolean(name, v);
  } else if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (std::is_integral_v<T>) {
      constexpr double kMost = sizeof(T) == 8 ? 0x1p53 : static_cast<double>(std::numeric_limits<T>::max());
      x = static_cast<T>(read_whole(name, v, std::is_signed_v<T> ? -kMost : 0, kMost));
    } else {
      x = static_cast<T>(read_number(name, v));
    }
  } else if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(read_name(name, v, Names<T>::names));
  } else if constexpr (std::same_as<T, std::string>) {
    x = read_text(name, v);
  } else if constexpr (std::same_as<T, Vec3> || std::same_as<T, Vec3d>) {
    const Value::List& list = read_list(name, v, 3, "three numbers");
    for (int i = 0; i < 3; ++i) read(name, list[static_cast<std::size_t>(i)], x[i]);
  } else if constexpr (std::same_as<T, ObjectId>) {
    read(name, v, x.number);
  } else {
    if (v.get<Value::Record>() == nullptr) fail_option(name, "an object");
    x = read_options<T>(v);
  }
}
template <class T>
void read(const char* name, const Value& v, std::optional<T>& x) {
  x.emplace();
  read(name, v, *x);
}
template <class T, std::size_t N>
void read(const char* name, const Value& v, std::array<T, N>& items) {
  const Value::List& list = read_list(name, v, N, "a list of the right length");
  for (std::size_t i = 0; i < N; ++i) read(name, list[i], items[i]);
}

/// A required argument.
template <class T>
[[nodiscard]] T argument(const Value& arguments, const char* name) {
  T x{};
  read(name, arguments[name], x);
  return x;
}
template <class T>
[[nodiscard]] T argument_or(const Value& arguments, const char* name, T otherwise) {
  if (!arguments[name].is_null()) read(name, arguments[name], otherwise);
  return otherwise;
}

/// [x, y, z] or [x, y, z, qx, qy, qz, qw]; none: the identity.
[[nodiscard]] Transform pose_of(const Value& pose, const char* name);

}  // namespace lamella::wasm
