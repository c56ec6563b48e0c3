// A helicopter that touches fractal terrain, every size of the one against every size of the other: "GI-COLLIDE",
// section 5.4, figure 12. Only poses in contact count: in the air a search ends at the first spheres, and its time says
// nothing about sizes.

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "bench/gi/images.hpp"
#include "bench/gi/paper_times.hpp"
#include "bench/gi/queries.hpp"
#include "bench/gi/tables.hpp"
#include "cli/progress.hpp"
#include "simulate/helicopter.hpp"

namespace lamella::bench {
namespace {

constexpr std::uint32_t kSeed = 1;
/// A flight of 50 seconds; poses are so many frames apart.
constexpr std::uint64_t kPoses = 300, kFramesApart = 10;
constexpr std::size_t kMostContacts = 50, kQuickContacts = 6;
/// As in the paper; the least and the largest are left out.
constexpr unsigned kRuns = 12, kQuickRuns = 3;
/// The helicopter is made at this size; larger images are the same surface, cut finer.
constexpr int kMadeLevels = 8, kQuickMadeLevels = 6;
constexpr int kCoarseTerrain = 9;

/// Poses of the flight in which the helicopter touches the ground at the least size.
std::vector<PosePair> contact_poses(const ImageBody& ground, const ImageBody& helicopter, std::size_t most) {
  const simulate::HelicopterFlight flight(kSeed);
  ImageCollider collider;
  std::vector<PosePair> poses;
  for (std::uint64_t i = 0; i < kPoses && poses.size() < most; ++i) {
    const PosePair pose{{}, flight.pose(i * kFramesApart)};
    if (collider.collide(ground, pose.a, helicopter, pose.b).colliding()) poses.push_back(pose);
  }
  return poses;
}

std::uint64_t bytes_of(const ImageBody& body) {
  std::uint64_t bytes = 0;
  for (const GeometryImage& image : body.images) bytes += image.positions.size() * sizeof(Vec3);
  for (const SpherePyramid& pyramid : body.pyramids) bytes += pyramid.pixels().size_bytes();
  return bytes;
}

std::uint64_t bytes_of(const CompactBody& body) {
  std::uint64_t bytes = 0;
  for (const CompactImage& image : body.images) bytes += image.positions.size() * sizeof(std::uint16_t);
  for (const CompactPyramid& pyramid : body.pyramids) bytes += pyramid.pixels().size_bytes();
  return bytes;
}

ImageBody published(const ImageBody& body) { return make_body(body.images, SphereFit::published_enclosing); }

CompactBody compact(const ImageBody& body) {
  std::vector<CompactImage> images;
  for (const GeometryImage& image : body.images) images.push_back(compacted(image));
  return make_body(std::move(images));
}

class Flight {
 public:
  Flight(Table& table, std::vector<PosePair> poses, unsigned runs)
      : table_(table), poses_(std::move(poses)), runs_(runs) {}

  template <class Body>
  void add(const char* method, int ground_n, const Body& ground, int body_n, const Body& helicopter,
           ImageWalk walk = ImageWalk::guided) {
    Row row{{"paper", "gi"},
            {"terrain", image_side(ground_n)},
            {"helicopter", image_side(body_n)},
            {"method", method},
            {"runs", runs_}};
    row.set(time_trimmed(ground, helicopter, poses_, runs_, walk));
    row.set({"body_bytes", bytes_of(ground) + bytes_of(helicopter)});
    if (ground_n == body_n) set_paper_times(row, ground_n, "ms.mean");
    table_.rows.push_back(std::move(row));
  }

 private:
  Table& table_;
  std::vector<PosePair> poses_;
  unsigned runs_;
};

}  // namespace

Table fig12_table(const GiPlan& plan) {
  const bool quick = plan.args.quick;
  Table table{.name = "GI-fig12",
              .title = fmt::format("A helicopter in contact with terrain, first collision, one thread; every size "
                                   "against every size.\nOf {} runs of each pose the least and the largest are left "
                                   "out; mean, median and worst over the poses",
                                   quick ? kQuickRuns : kRuns),
              .columns = columns("terrain:square|helicopter:square|method|poses|colliding|"
                                 "sphere tests=sphere_tests.mean|worst=sphere_tests.worst|"
                                 "triangle tests=triangle_tests.mean|mean us=ms.mean:micro|median us=ms.median:micro|"
                                 "worst us=ms.worst:micro|paper ms=paper_ms:plain|of=paper_is|speed-up=speedup|"
                                 "MB=body_bytes:mega")};
  cli::Progress progress("terrain");
  const int made_levels = quick ? kQuickMadeLevels : kMadeLevels;
  const auto made = simulate::make_helicopter_body(made_levels, 0);
  const std::vector<int> sizes = quick ? std::vector{9, 10} : std::vector{9, 10, 11, 12, 13};
  Flight flight(table,
                contact_poses(*simulate::make_terrain(kCoarseTerrain, kSeed), resized(*made, kQuickMadeLevels),
                              quick ? kQuickContacts : kMostContacts),
                quick ? kQuickRuns : kRuns);
  std::vector<std::pair<int, ImageBody>> helicopters;
  for (const int n : sizes) {
    if (!memory_allows(3 * body_bytes(n))) {
      table.findings += left_out_text(n, 3 * body_bytes(n));
      continue;
    }
    helicopters.emplace_back(n, resized(*made, n));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int n = sizes[i];
    progress.update(i, sizes.size());
    if (!memory_allows(3 * body_bytes(n))) continue;
    const auto ground = simulate::make_terrain(n, kSeed);
    for (const auto& [body_n, helicopter] : helicopters) {
      flight.add("images", n, *ground, body_n, helicopter);
      if (body_n != n) continue;
      if (!memory_allows(3 * body_bytes(n))) continue;
      flight.add("published, enclosing", n, published(*ground), n, published(helicopter), ImageWalk::zigzag);
      flight.add("compact", n, compact(*ground), n, compact(helicopter));
    }
  }
  const double vertices = static_cast<double>(image_side(kLevels4097)) * image_side(kLevels4097);
  const double bytes = static_cast<double>(body_bytes(kLevels4097)) / vertices;
  table.findings += fmt::format(
      "The helicopter is made at {}; larger images are the same surface cut finer.\nBytes a vertex, positions and "
      "spheres: images {:.0f}, compact {:.0f}; normals take 12 or 6 more. The paper has 24 with normals, as compact.\n",
      image_size(made_levels), bytes, bytes / 2);
  return table;
}

}  // namespace lamella::bench
