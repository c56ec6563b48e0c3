// Any bytes as a file of geometry images.

#include <cmath>
#include <cstring>

#include "lamella/geometry_image_io.hpp"
#include "reading.hpp"

namespace lamella::fuzz {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;
/// libtiff allocates its own tables, and strips that it unpacks.
constexpr std::uint64_t kTables = std::uint64_t{4} << 20;
constexpr std::string_view kName = "a.tiff";

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool is_finite(const std::vector<Vec3>& vectors) {
  return std::ranges::all_of(vectors,
                             [](Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); });
}

/// Calls come in order, and the last says that all is done.
struct Steps {
  std::uint64_t done = 0, total = 0;

  void take(std::uint64_t now, std::uint64_t all) {
    require(now > done && now <= all && (total == 0 || all == total), "progress goes from little to all");
    done = now;
    total = all;
  }
};

template <class Read>
auto read_with(const Read& read, std::span<const std::byte> bytes, bool skip_normals) {
  Steps steps;
  const ImageFileOptions options{.progress = [&](std::uint64_t done, std::uint64_t total) { steps.take(done, total); },
                                 .max_memory = kLimit,
                                 .skip_normals = skip_normals};
  auto outcome = outcome_within(kLimit + kTables, bytes.size(), kName, [&] { return read(bytes, kName, options); });
  require(!outcome.result || (steps.done == steps.total && steps.total > 0), "progress ends with all");
  return outcome;
}

void check_image(const GeometryImage& image, bool has_normals) {
  const std::size_t vertices = std::size_t{image.side()} * image.side();
  require(image.n >= kMinImageLevels && image.n <= kMaxImageLevels, "n is in its range");
  require(image.positions.size() == vertices, "there are as many positions as n says");
  require(image.normals.size() == (has_normals ? vertices : 0), "there are as many normals as positions, or none");
  require(is_finite(image.positions) && is_finite(image.normals), "positions and normals are finite");
}

void check_pages(std::span<const std::byte> bytes, const std::vector<GeometryImage>& images) {
  const std::vector<ImagePage> pages = image_pages(bytes, kName);
  std::size_t positions = 0;
  for (const ImagePage& page : pages) {
    if (page.kind != ImagePage::Kind::positions) continue;
    const GeometryImage& image = images[page.image];
    require(page.image == positions++ && page.n == image.n && page.width == image.side(), "pages are the images'");
    for (const Vec3 p : image.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        require(p[axis] >= page.box.min[axis] && p[axis] <= page.box.max[axis], "no position leaves the box");
      }
    }
  }
  require(positions == images.size(), "every image has its page");
}

/// Positions come back without further change when the box is theirs; otherwise a file is made whose box is.
void write_and_read(const std::vector<GeometryImage>& images) {
  static const Folder folder;
  const std::filesystem::path path = folder / "a.tiff";
  write_images(path, images);
  const std::vector<GeometryImage> once = read_images(path);
  write_images(path, once);
  const std::vector<GeometryImage> twice = read_images(path);
  require(once.size() == images.size() && twice.size() == images.size(), "as many images come back");
  for (std::size_t i = 0; i < images.size(); ++i) {
    require(once[i].positions.size() == images[i].positions.size(), "images keep their size");
    require(same_bits(once[i].positions, twice[i].positions), "positions that were read are written as they are");
  }
}

void run(std::span<const std::byte> bytes) {
  const std::uint64_t hash = hash_of(bytes);
  const bool skip_normals = hash % 4 == 0;
  const auto images = read_with([](auto... arguments) { return read_images(arguments...); }, bytes, skip_normals);
  const auto compact =
      read_with([](auto... arguments) { return read_compact_images(arguments...); }, bytes, skip_normals);
  const auto pages = outcome_within(kLimit + kTables, bytes.size(), kName, [&] { return image_pages(bytes, kName); });
  require(!images.result || (compact.result && pages.result), "what can be read can be read as codes and as pages");
  if (!images.result) return;

  require(images.result->size() == compact.result->size() && !images.result->empty(), "there are images");
  for (std::size_t i = 0; i < images.result->size(); ++i) {
    const GeometryImage& image = (*images.result)[i];
    const GeometryImage from_codes = expanded((*compact.result)[i]);
    check((*compact.result)[i]);
    check_image(image, !skip_normals);
    require(same_bits(image.positions, from_codes.positions) && same_bits(image.normals, from_codes.normals),
            "codes and images are the same");
  }
  check_pages(bytes, *images.result);
  if ((hash >> 8) % 2 == 0) write_and_read(*images.result);
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
  return 0;
}
