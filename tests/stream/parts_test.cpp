#include <algorithm>
#include <mutex>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "stream/part_reader.hpp"
#include "stream/support.hpp"

namespace lamella {
namespace {

using stream::Chunk;
using test::Random;

/// Counts what is read.
class CountingSource final : public MeshSource {
 public:
  explicit CountingSource(const Mesh& mesh) : mesh_(mesh) {}
  [[nodiscard]] std::uint64_t vertex_count() const override { return mesh_.positions.size(); }
  [[nodiscard]] std::uint64_t triangle_count() const override { return mesh_.triangles.size(); }
  void read_positions(std::uint64_t first, std::span<Vec3> out) const override {
    vertices += out.size();
    std::copy_n(mesh_.positions.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  }
  void read_triangles(std::uint64_t first, std::span<Triangle> out) const override {
    triangles += out.size();
    std::copy_n(mesh_.triangles.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  }
  mutable std::atomic<std::uint64_t> vertices{0}, triangles{0};

 private:
  const Mesh& mesh_;
};

stream::Limits limits_of(std::size_t part, bool keep) {
  stream::Limits limits;
  limits.vertex_bytes = keep ? std::uint64_t{1} << 30 : 0;
  limits.part_triangles = part;
  limits.chunk_triangles = 100;
  return limits;
}

/// All triangles by their corners, in the mesh's order.
std::vector<std::array<Vec3, 3>> corners_in_parts(const CountingSource& source, const stream::Limits& limits) {
  Workers workers(3);
  const StreamOptions options;
  stream::PassCounter passes(options);
  std::uint64_t room = limits.vertex_bytes;
  const stream::PlacedSource placed({source}, room, workers);
  stream::PartReader reader(limits, workers, passes);
  std::vector<std::array<Vec3, 3>> found(source.triangle_count());
  std::mutex mutex;
  reader.for_each(placed, nullptr, [&](const Chunk& chunk, unsigned) {
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < chunk.mesh.triangles.size(); ++i)
      for (int k = 0; k < 3; ++k)
        found[chunk.first + i][static_cast<std::size_t>(k)] = chunk.mesh.positions[chunk.mesh.triangles[i][k]];
  });
  EXPECT_EQ(passes.passes(), 1u);
  return found;
}

std::vector<std::array<Vec3, 3>> corners_of(const Mesh& mesh) {
  std::vector<std::array<Vec3, 3>> found;
  for (const Triangle& t : mesh.triangles)
    found.push_back({mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]});
  return found;
}

/// Triangles, and the numbers of vertices, in random order.
Mesh shuffled(const Mesh& mesh) {
  Random random(3);
  std::vector<std::uint32_t> place(mesh.positions.size());
  for (std::uint32_t i = 0; i < place.size(); ++i) place[i] = i;
  for (std::uint32_t i = 1; i < place.size(); ++i) std::swap(place[i], place[random.below(i + 1)]);
  Mesh out = mesh;
  for (std::uint32_t i = 0; i < place.size(); ++i) out.positions[place[i]] = mesh.positions[i];
  for (Triangle& t : out.triangles) t = {place[t.a], place[t.b], place[t.c]};
  for (std::uint32_t i = 1; i < out.triangles.size(); ++i)
    std::swap(out.triangles[i], out.triangles[random.below(i + 1)]);
  return out;
}

TEST(StreamParts, HaveTheCornersOfTheMesh) {
  const Mesh ordered = scenes::torus_knot(5000), random = shuffled(ordered);
  for (const Mesh* mesh : {&ordered, &random})
    for (const std::size_t part : {1, 7, 333, 100'000})
      for (const bool keep : {false, true}) {
        const CountingSource source(*mesh);
        EXPECT_EQ(corners_in_parts(source, limits_of(part, keep)), corners_of(*mesh));
        EXPECT_EQ(source.triangles, source.triangle_count());
      }
}

TEST(StreamParts, OfAFileInOrderReadItsVerticesAboutOnce) {
  const Mesh mesh = scenes::torus_knot(20'000);
  const CountingSource source(mesh);
  (void)corners_in_parts(source, limits_of(2000, false));
  EXPECT_LT(source.vertices - source.vertex_count(), 2 * source.vertex_count());  // the first time is for the box
}

TEST(StreamParts, AnIndexOutOfRangeIsAnErrorThatNamesTheFirst) {
  Mesh mesh = scenes::torus_knot(5000);
  const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.triangles[2345].b = vertices;
  mesh.triangles[4000].a = ~0u;
  for (const bool keep : {false, true}) {
    const CountingSource source(mesh);
    try {
      (void)corners_in_parts(source, limits_of(50'000, keep));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "triangle 2345 names vertex " + std::to_string(vertices) + ", but the mesh has only " +
                                  std::to_string(vertices) + " vertices");
    }
  }
}

}  // namespace
}  // namespace lamella
