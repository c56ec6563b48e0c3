#include "picture/animation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "lamella/error.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

using Bytes = std::vector<std::uint8_t>;

std::uint32_t number(const Bytes& bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes.at(at + i);
  return value;
}

struct Chunk {
  std::string name;
  Bytes data;
  bool intact = false;  ///< its sum is right
};

std::vector<Chunk> read_chunks(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<Chunk> chunks;
  if (bytes.size() < 8 || std::memcmp(bytes.data(), "\x89PNG\r\n\x1a\n", 8) != 0) return chunks;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = number(bytes, at);
    if (at + 12 + size > bytes.size()) return chunks;
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    Chunk chunk{std::string(begin + 4, begin + 8), Bytes(begin + 8, begin + 8 + static_cast<std::ptrdiff_t>(size))};
    chunk.intact = number(bytes, at + 8 + size) == crc32(0, bytes.data() + at + 4, static_cast<uInt>(size + 4));
    chunks.push_back(std::move(chunk));
    at += 12 + size;
  }
  return chunks;
}

std::vector<std::string> names(const std::vector<Chunk>& chunks) {
  std::vector<std::string> result;
  for (const Chunk& chunk : chunks) result.push_back(chunk.name);
  return result;
}

/// The rows that PNG image data hold, filters undone by the specification's words.
std::optional<Bytes> decode(const std::uint8_t* data, std::size_t size, unsigned width, unsigned height) {
  const std::size_t stride = 3 * width;
  Bytes raw((stride + 1) * height);
  uLongf raw_size = raw.size();
  if (uncompress(raw.data(), &raw_size, data, static_cast<uLong>(size)) != Z_OK || raw_size != raw.size()) return {};
  Bytes out(stride * height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t i = 0; i < stride; ++i) {
      const int a = i < 3 ? 0 : out[y * stride + i - 3], b = y == 0 ? 0 : out[(y - 1) * stride + i];
      const int c = i < 3 || y == 0 ? 0 : out[(y - 1) * stride + i - 3];
      const int p = a + b - c;
      const int nearest = std::abs(p - a) <= std::abs(p - b) && std::abs(p - a) <= std::abs(p - c) ? a
                          : std::abs(p - b) <= std::abs(p - c)                                     ? b
                                                                                                   : c;
      const std::array<int, 5> guess{0, a, b, (a + b) / 2, nearest};
      out[y * stride + i] = static_cast<std::uint8_t>(raw[y * (stride + 1) + 1 + i] + guess.at(raw[y * (stride + 1)]));
    }
  }
  return out;
}

/// Plays the file: every frame as it is shown. Fails on anything that is not as the APNG specification wants it.
std::vector<Image> play(const fs::path& path) {
  std::vector<Image> frames;
  Image canvas;
  Bytes control;
  std::uint32_t sequence = 0;
  for (const Chunk& chunk : read_chunks(path)) {
    EXPECT_TRUE(chunk.intact) << chunk.name;
    const Bytes& d = chunk.data;
    if (chunk.name == "IHDR") {
      canvas = {number(d, 0), number(d, 4), Bytes(std::size_t{3} * number(d, 0) * number(d, 4))};
    }
    if (chunk.name == "fcTL") {
      EXPECT_EQ(d.size(), 26u);
      EXPECT_EQ(number(d, 0), sequence++);
      control = d;
    }
    if (chunk.name != "IDAT" && chunk.name != "fdAT") continue;
    const std::size_t skip = chunk.name == "fdAT" ? 4 : 0;
    EXPECT_TRUE(skip == 0 || number(d, 0) == sequence++);
    const unsigned width = number(control, 4), height = number(control, 8);
    const unsigned left = number(control, 12), top = number(control, 16);
    EXPECT_TRUE(left + width <= canvas.width && top + height <= canvas.height && width > 0 && height > 0);
    const auto rows = decode(d.data() + skip, d.size() - skip, width, height);
    if (!rows) {
      ADD_FAILURE() << "image data of frame " << frames.size();
      return frames;
    }
    for (std::size_t y = 0; y < height; ++y) {
      std::copy_n(rows->begin() + static_cast<std::ptrdiff_t>(3 * width * y), 3 * width,
                  canvas.rgb.begin() + static_cast<std::ptrdiff_t>(3 * ((top + y) * canvas.width + left)));
    }
    frames.push_back(canvas);
  }
  return frames;
}

class Animated : public testing::Test {
 protected:
  Animated() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("lamella_animation_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Animated() override { fs::remove_all(folder_); }

  [[nodiscard]] std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

/// A noisy picture with a square at (x, 3).
Image frame_with_square_at(unsigned x) {
  Image image{40, 20, Bytes(3 * 40 * 20)};
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(i * i / 7);
  for (unsigned row = 3; row < 8; ++row) {
    for (unsigned column = x; column < x + 5; ++column) image.rgb[3 * (row * 40 + column)] = 255;
  }
  return image;
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Animated, PlaysTheFramesThatWereAdded) {
  const fs::path path = folder_ / "a.png";
  std::vector<Image> frames;
  Animation animation(path, {.frame_ms = 40, .hold_ms = 900});
  for (const unsigned x : {0u, 5u, 5u, 35u, 20u}) {
    frames.push_back(frame_with_square_at(x));
    animation.add(frames.back());
  }
  EXPECT_FALSE(fs::exists(path)) << "not before it is whole";
  animation.finish();
  EXPECT_EQ(file_count(), 1u);

  const std::vector<Chunk> chunks = read_chunks(path);
  EXPECT_THAT(names(chunks), ElementsAre("IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "fcTL", "fdAT",
                                         "fcTL", "fdAT", "IEND"));
  EXPECT_EQ(number(chunks[1].data, 0), 5u) << "frames";
  EXPECT_EQ(number(chunks[1].data, 4), 0u) << "plays for ever";
  EXPECT_EQ(number(chunks[2].data, 20, 2), 40u);
  EXPECT_EQ(number(chunks[10].data, 20, 2), 900u) << "the last is held";
  EXPECT_EQ(number(chunks[2].data, 22, 2), 1000u);
  EXPECT_EQ(number(chunks[6].data, 4), 1u) << "nothing changed: one pixel is enough";

  const std::vector<Image> played = play(path);
  ASSERT_EQ(played.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(played[i].rgb, frames[i].rgb) << "frame " << i;
}

TEST_F(Animated, IsAnOrdinaryPngOfItsFirstFrame) {
  const fs::path path = folder_ / "a.png";
  Animation animation(path, {.loop = false});
  for (const unsigned x : {7u, 9u}) animation.add(frame_with_square_at(x));
  animation.finish();
  EXPECT_EQ(number(read_chunks(path).at(1).data, 4), 1u) << "plays once";

  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&png, path.string().c_str()), 0);
  png.format = PNG_FORMAT_RGB;
  Bytes pixels(PNG_IMAGE_SIZE(png));
  ASSERT_NE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr), 0) << png.message;
  EXPECT_EQ(pixels, frame_with_square_at(7).rgb);
}

TEST_F(Animated, LeavesNothingBehindWhenItIsNotFinished) {
  std::ofstream(folder_ / "a.png") << "old";
  {
    Animation animation(folder_ / "a.png");
    animation.add(frame_with_square_at(1));
  }
  EXPECT_EQ(file_count(), 1u);
  EXPECT_EQ(fs::file_size(folder_ / "a.png"), 3u) << "what was there stays";
}

TEST_F(Animated, RefusesWhatIsNoAnimationAndNamesTheFile) {
  EXPECT_THAT(message_of([&] { Animation(folder_ / "none" / "a.png"); }), HasSubstr("none/a.png"));
  EXPECT_THAT(message_of([&] { Animation animation(folder_); }), HasSubstr("is a folder"));
  EXPECT_THAT(message_of([&] { Animation(folder_ / "a.png").finish(); }), HasSubstr("no frames"));
  EXPECT_THAT(message_of([&] {
                Animation animation(folder_ / "a.png");
                animation.add(frame_with_square_at(0));
                animation.add({40, 21, Bytes(3 * 40 * 21)});
              }),
              HasSubstr("another size"));
  EXPECT_EQ(file_count(), 0u);
}

/// A cube in a picture that is fitted to a box around the origin.
Image cube_in_view(Vec3 middle, float radius_of_dot = 0) {
  const Mesh cube = shapes::box(middle, 0.5f);
  const std::vector<Vec3> dot{{0, 0, 0}};
  Picture picture;
  if (radius_of_dot > 0) {
    picture.dots = {{.points = dot, .color = kOverlapRed, .radius = radius_of_dot}};
  } else {
    picture.layers = {{cube, kBlueGrey, 1}};
  }
  picture.width = 160;
  picture.height = 120;
  picture.view_direction = Vec3d{0, 1, 0};
  picture.fit = Aabb{{-2, -2, -2}, {2, 2, 2}};
  return render(picture, 1);
}

/// Pixels of a row that are not background, and their middle.
std::pair<int, double> extent_in_row(const Image& image, unsigned y) {
  int count = 0;
  double sum = 0;
  for (unsigned x = 0; x < image.width; ++x) {
    if (shapes::pixel(image, x, y) == shapes::pixel(image, 0, y)) continue;
    ++count;
    sum += x + 0.5;
  }
  return {count, count == 0 ? 0 : sum / count};
}

TEST(Fit, KeepsTheViewWhateverIsInIt) {
  const auto [middle_count, middle] = extent_in_row(cube_in_view({0, 0, 0}), 60);
  const auto [right_count, right] = extent_in_row(cube_in_view({1, 0, 0}), 60);
  EXPECT_NEAR(middle, 80, 1);
  EXPECT_GT(middle_count, 10);
  EXPECT_LT(middle_count, 60) << "the box is fitted, not the cube";
  EXPECT_NEAR(right - middle, middle_count, 0.15 * middle_count) << "moved by its own width";
  EXPECT_NEAR(right_count, middle_count, 0.4 * middle_count);
}

TEST(Fit, LeavesOutWhatIsBehindTheEyeOrFarAway) {
  Picture nothing;
  nothing.width = 160;
  nothing.height = 120;
  const Image empty = render(nothing, 1);
  for (const Vec3 far : {Vec3{0, -40, 0}, Vec3{0, -17.3f, 0}, Vec3{1e30f, 0, 0}, Vec3{0, 1e9f, 1e9f}}) {
    EXPECT_EQ(shapes::difference(cube_in_view(far), empty), 0) << far.x << ' ' << far.y;
  }
}

TEST(Fit, DotsCanHaveASizeInTheScenesUnits) {
  const int small = extent_in_row(cube_in_view({}, 0.25f), 60).first;
  const int large = extent_in_row(cube_in_view({}, 0.5f), 60).first;
  const int cube = extent_in_row(cube_in_view({}), 60).first;
  EXPECT_NEAR(large, 2 * small, 3);
  EXPECT_NEAR(large, cube, 0.2 * cube) << "a ball of radius 0.5 is as wide as a cube of side 1";
}

}  // namespace
}  // namespace lamella::picture
