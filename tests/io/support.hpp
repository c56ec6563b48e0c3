#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {

/// A fresh folder for every test, removed after it.
class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string pattern = testing::TempDir() + "lamella_io_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    folder_ = pattern;
  }
  ~FileTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  std::filesystem::path save(const std::string& name, std::string_view contents) const {
    // A new file each time: some file systems flush one that is cut short and written again, which takes long.
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }

  Mesh read(const std::string& name, std::string_view contents) const { return read_mesh(save(name, contents)); }

  /// The message of the Error that reading gives; a failure when there is none.
  std::string read_error(const std::string& name, std::string_view contents) const {
    const std::filesystem::path file = save(name, contents);
    return error_of([&] { (void)read_mesh(file); });
  }

  template <class Action>
  static std::string error_of(Action action) {
    try {
      action();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::input);
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << "more than one line: " << e.what();
      return e.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return {};
  }

 private:
  std::filesystem::path folder_;
};

/// A copy of exactly this size on the heap, where a sanitizer sees a read beyond its end. A mapped file is padded.
inline std::vector<std::byte> memory_of(std::string_view contents) {
  const auto all = std::as_bytes(std::span(contents));
  return {all.begin(), all.end()};
}

/// Concatenates the bytes of values as they lie in memory: little-endian.
template <class... T>
std::string bytes(T... values) {
  std::string out;
  (out.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  return out;
}

/// The same values, most significant byte first.
template <class... T>
std::string big_endian(T... values) {
  std::string out;
  const auto append = [&](std::string value) { out.append(value.rbegin(), value.rend()); };
  (append(bytes(values)), ...);
  return out;
}

inline std::vector<Vec3> tetrahedron_positions() { return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
inline std::vector<Triangle> tetrahedron_triangles() { return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}; }
inline Mesh tetrahedron() { return {tetrahedron_positions(), tetrahedron_triangles()}; }

inline void expect_equal(const Mesh& actual, const Mesh& expected) {
  EXPECT_EQ(actual.positions, expected.positions);
  EXPECT_EQ(actual.triangles, expected.triangles);
}

}  // namespace lamella::test

namespace lamella {

inline void PrintTo(const Vec3& p, std::ostream* out) { *out << '(' << p.x << ' ' << p.y << ' ' << p.z << ')'; }
inline void PrintTo(const Triangle& t, std::ostream* out) { *out << '(' << t.a << ' ' << t.b << ' ' << t.c << ')'; }

}  // namespace lamella
