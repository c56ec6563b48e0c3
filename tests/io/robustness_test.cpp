// Files that are damaged in every place: reading must end in an Error or in a mesh that keeps its own rules.

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "io/gltf_support.hpp"

namespace lamella::test {
namespace {

struct Sample {
  std::string name;
  std::string contents;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

std::string ply(const std::string& format, const std::string& body) {
  return "ply\nformat " + format +
         " 1.0\ncomment small\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
         "property uchar red\nelement face 3\nproperty list uchar int vertex_indices\nproperty list uchar float t\n"
         "end_header\n" +
         body;
}

template <class Pack>
std::string ply_body(Pack pack) {
  std::string out;
  for (const Vec3 p : tetrahedron_positions()) out += pack(p.x, p.y, p.z, std::uint8_t{9});
  out += pack(std::uint8_t{3}, 0, 2, 1, std::uint8_t{0});
  out += pack(std::uint8_t{4}, 0, 1, 3, 2, std::uint8_t{2}, 0.5f, 0.5f);
  return out + pack(std::uint8_t{3}, 2, 0, 3, std::uint8_t{0});
}

std::string plain_ply() {
  std::string out =
      "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
      "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3 p : tetrahedron_positions()) out += bytes(p);
  for (const Triangle& t : tetrahedron_triangles()) out += bytes(std::uint8_t{3}) + bytes(t);
  return out;
}

std::string binary_stl() {
  std::string out = std::string(80, 's') + bytes(std::uint32_t{2});
  for (int i = 0; i < 2; ++i)
    out += bytes(Vec3{}, Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, static_cast<float>(i)}, std::uint16_t{0});
  return out;
}

std::vector<Sample> samples() {
  return {
      {"ascii.ply", ply("ascii", "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n3 0 2 1 0\n4 0 1 3 2 2 .5 .5\n3 2 0 3 0\n")},
      {"little.ply", ply("binary_little_endian", ply_body([](auto... v) { return bytes(v...); }))},
      {"big.ply", ply("binary_big_endian", ply_body([](auto... v) { return big_endian(v...); }))},
      {"plain.ply", plain_ply()},
      {"mesh.obj", "# test\nv 0 0 0\nv 1 0 0 1\nv 0 1 \\\n 0\nvn 0 0 1\nv 0 0 1\nf 1//1 2//1 3//1\nf -1 -2 -3 -4\n"},
      {"ascii.stl",
       "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
       "endfacet\nendsolid a\n"},
      {"binary.stl", binary_stl()},
      {"mesh.off", "COFF\n# test\n4 2 0\n0 0 0 1 1 1\n1 0 0 1 1 1\n0 1 0 1 1 1\n0 0 1 1 1 1\n3 0 1 2\n4 0 1 2 3 255\n"},
#ifdef LAMELLA_GLTF
      {"mesh.gltf", GltfParts{}.gltf()},
      {"mesh.glb", GltfParts{}.glb()},
#endif
  };
}

/// One line of ASCII: whatever is in a file, its messages do nothing to a terminal.
void expect_printable(std::string_view message) {
  for (const char c : message) ASSERT_TRUE(c >= ' ' && c <= '~') << message;
}

class Robustness : public FileTest, public testing::WithParamInterface<Sample> {
 protected:
  Mesh from_memory(std::string_view contents) const {
    return read_mesh(memory_of(contents), *mesh_format(GetParam().name), path(GetParam().name).string());
  }

  /// Reads the damaged contents; whatever is not an Error must be a mesh that the rest of the library can use.
  void try_to_read(std::string_view contents) const {
    try {
      const Mesh mesh = from_memory(contents);
      ASSERT_FALSE(mesh.triangles.empty());
      for (const Triangle& t : mesh.triangles) ASSERT_LT(std::max({t.a, t.b, t.c}), mesh.positions.size());
    } catch (const Error& e) {
      expect_printable(e.what());
    }
    try {
      const auto points = read_points(memory_of(contents), *mesh_format(GetParam().name), "damaged");
      for (const Vec3 p : points) ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    } catch (const Error& e) {
      expect_printable(e.what());
    }
  }
};

TEST_P(Robustness, WithEscapeSequencesAnywhereTheMessageDoesNotSteerTheTerminal) {
  for (std::size_t at = 0; at < GetParam().contents.size(); at += 3) {
    for (const char* hostile : {"\x1b]0;title\x07",
                                "\xc2\x9b"
                                "2J",
                                "\x7f\r\n"}) {
      std::string damaged = GetParam().contents;
      damaged.insert(at, hostile);
      try_to_read(damaged);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

TEST_P(Robustness, TheWholeFileIsValid) {
  EXPECT_NO_THROW((void)read_mesh(save(GetParam().name, GetParam().contents)));
}

/// The mesh, or the message of the Error.
template <class Read>
std::pair<Mesh, std::string> outcome_of(Read read) {
  try {
    return {read(), ""};
  } catch (const Error& e) {
    return {{}, e.what()};
  }
}

TEST_P(Robustness, CutOffAtAnyByteMemoryAndFileGiveTheSameMeshOrTheSameError) {
  const std::string& whole = GetParam().contents;
  int refused = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string_view contents = std::string_view(whole).substr(0, size);
    try_to_read(contents);
    if (HasFatalFailure()) return;
    const auto file = save(GetParam().name, contents);
    const auto [mesh, error] = outcome_of([&] { return from_memory(contents); });
    const auto [file_mesh, file_error] = outcome_of([&] { return read_mesh(file); });
    ASSERT_EQ(error, file_error);
    expect_equal(mesh, file_mesh);
    if (!error.empty()) ++refused;
  }
  EXPECT_GT(refused, 10);
}

TEST_P(Robustness, WithRandomBytesChanged) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = GetParam().contents;
    for (std::uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % damaged.size();
      // Half of the time one bit, which keeps text nearly right; else any byte.
      damaged[at] = static_cast<char>(random() % 2 ? damaged[at] ^ (1 << random() % 8) : random());
    }
    SCOPED_TRACE(round);
    try_to_read(damaged);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Robustness, WithAPieceRepeatedOrRemoved) {
  std::mt19937 random(7);
  for (int round = 0; round < 1000; ++round) {
    std::string damaged = GetParam().contents;
    const std::size_t begin = random() % damaged.size(), length = random() % 16;
    if (random() % 2) {
      damaged.insert(random() % damaged.size(), damaged.substr(begin, length));
    } else {
      damaged.erase(begin, length);
    }
    SCOPED_TRACE(round);
    try_to_read(damaged);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Robustness, testing::ValuesIn(samples()), [](const auto& test) {
  std::string name = test.param.name;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace lamella::test
