// How numbers become 16-bit codes and back.

#include <algorithm>
#include <numbers>
#include <random>

#include "geometry_image/file/text.hpp"
#include "geometry_image/files_support.hpp"
#include "geometry_image/image_codes.hpp"

namespace lamella::test {
namespace {

using io::AxisCodes;

struct Interval {
  float low, high;
};

/// From everyday ones to those where float is coarser than a code, and to the ends of what is allowed.
std::vector<Interval> intervals() {
  std::vector<Interval> result{
      {0, 1},           {-1, 1},         {-1, 0},          {0.1f, 0.7f},     {1e6f, 1e6f + 1},
      {1e7f, 1e7f + 3}, {-1e18f, 1e18f}, {1e-40f, 3e-40f}, {-1e10f, 1e-20f}, {16777216, 16777218}};
  std::mt19937 random(1);
  std::uniform_real_distribution<float> mantissa(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const float a = std::ldexp(mantissa(random), static_cast<int>(random() % 40) - 20);
    const float b = std::ldexp(mantissa(random), static_cast<int>(random() % 40) - 20);
    result.push_back({std::min(a, b), std::max(a, b)});
  }
  return result;
}

std::vector<float> values_in(const Interval& i, std::mt19937& random) {
  std::vector<float> values{i.low, i.high};
  std::uniform_real_distribution<double> part(0, 1);
  for (int k = 0; k < 300; ++k) {
    const auto value = static_cast<float>(i.low + part(random) * (double{i.high} - i.low));
    values.push_back(std::clamp(value, i.low, i.high));
    values.push_back(std::clamp(std::nextafter(value, i.high), i.low, i.high));
  }
  std::ranges::sort(values);
  return values;
}

double bound_of(const Interval& i) {
  const double magnitude = std::max(std::abs(double{i.low}), std::abs(double{i.high}));
  return (double{i.high} - i.low) / 131070 * (1 + 1e-9) + magnitude * 0x1p-24 + 0x1p-150;
}

TEST(ImageFileCodes, ZeroAndTheTopCodeAreTheEndsOfTheUnitInterval) {
  const AxisCodes codes(0, 1);
  EXPECT_EQ(codes.encode(0), 0);
  EXPECT_EQ(codes.encode(1), 65535);
  EXPECT_EQ(codes.decode(0), 0.0f);
  EXPECT_EQ(codes.decode(65535), 1.0f);
  EXPECT_EQ(codes.encode(-3), 0);
  EXPECT_EQ(codes.encode(7), 65535);
}

TEST(ImageFileCodes, AnIntervalOfNoLengthComesBackExactly) {
  for (const float value : {0.0f, -7.25f, 1e18f, 1e-40f}) {
    const AxisCodes codes(value, value);
    EXPECT_EQ(codes.encode(value), 0);
    for (const int code : {0, 1, 65535}) EXPECT_EQ(codes.decode(static_cast<std::uint16_t>(code)), value);
  }
}

TEST(ImageFileCodes, PositionsComeBackWithinHalfAStepAndARounding) {
  std::mt19937 random(2);
  for (const Interval& i : intervals()) {
    const AxisCodes codes(i.low, i.high);
    for (const float value : values_in(i, random)) {
      const float back = codes.decode(codes.encode(value));
      ASSERT_LE(std::abs(double{back} - value), bound_of(i)) << i.low << " to " << i.high << ": " << value;
      ASSERT_TRUE(i.low <= back && back <= i.high) << i.low << " to " << i.high << ": " << value;
    }
    ASSERT_EQ(codes.decode(codes.encode(i.low)), i.low);
    ASSERT_EQ(codes.decode(codes.encode(i.high)), i.high);
  }
}

TEST(ImageFileCodes, TheBoundIsReachedAndNotMuchTooLarge) {
  const AxisCodes codes(0, 65535);
  EXPECT_EQ(codes.decode(codes.encode(100.5f)), 101.0f);
  EXPECT_EQ(codes.decode(codes.encode(100.4990234375f)), 100.0f);
}

TEST(ImageFileCodes, CodesKeepTheOrderOfPositions) {
  std::mt19937 random(3);
  for (const Interval& i : intervals()) {
    const AxisCodes codes(i.low, i.high);
    std::uint16_t last = 0;
    for (const float value : values_in(i, random)) {
      ASSERT_GE(codes.encode(value), last);
      last = codes.encode(value);
    }
    float before = i.low;
    for (int code = 0; code <= 65535; code += 13) {
      const float value = codes.decode(static_cast<std::uint16_t>(code));
      ASSERT_GE(value, before) << i.low << " to " << i.high << ": " << code;
      before = value;
    }
    ASSERT_LE(codes.decode(65534), i.high);
  }
}

TEST(ImageFileCodes, WhatWasReadIsWrittenTheSame) {
  for (const Interval& i : intervals()) {
    const AxisCodes codes(i.low, i.high);
    for (int code = 0; code <= 65535; code += 17) {
      const float value = codes.decode(static_cast<std::uint16_t>(code));
      ASSERT_EQ(codes.decode(codes.encode(value)), value) << i.low << " to " << i.high << ": " << code;
    }
  }
}

Vec3 normal_back(Vec3 normal) {
  std::uint16_t code[3];
  io::encode_normal(normal, code);
  return io::decode_normal(code);
}

TEST(ImageFileCodes, NormalsAreCodedOnEveryAxisAndBeyondOneAsOne) {
  for (int axis = 0; axis < 3; ++axis)
    for (const auto& [value, expected] :
         {std::pair{-1.0f, 0}, {-2.0f, 0}, {0.0f, 32767}, {0.5f, 49151}, {1.0f, 65534}, {3.0f, 65534}}) {
      Vec3 normal;
      normal[axis] = value;
      std::uint16_t code[3];
      io::encode_normal(normal, code);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(code[k], k == axis ? expected : 32767) << value;
    }
}

TEST(ImageFileCodes, NormalsAlongAnAxisAndNoneAreExact) {
  for (const Vec3 normal : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{0, 0, 0}})
    EXPECT_EQ(normal_back(normal), normal);
}

TEST(ImageFileCodes, NormalsComeBackWithinTheStatedAngle) {
  std::mt19937 random(5);
  std::normal_distribution<double> spread;
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const Vec3d d{spread(random), spread(random), spread(random)};
    const Vec3 normal = to_float(d * (1 / std::sqrt(dot(d, d))));
    const Vec3 back = normal_back(normal);
    ASSERT_NEAR(length(back), 1, 2e-7);
    const Vec3d across = cross(to_double(normal), to_double(back));
    worst = std::max(worst, std::asin(std::sqrt(dot(across, across))) * 180 / std::numbers::pi);
  }
  EXPECT_LE(worst, 0.0016);
  EXPECT_GE(worst, 0.001) << "the statement could be stronger";
}

// ---- the text of a page

class ImageFileText : public FileTest {
 protected:
  static io::PageText read(const std::string& text) { return io::read_page_text(text, {"a.tiff", 4}); }

  /// The message when `from` stands as `to` in a good text.
  static std::string error(const std::string& from, const std::string& to) {
    std::string text = kGood;
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { (void)read(text); });
  }

  static constexpr const char* kGood =
      "lamella geometry image\nversion: 2\npage: normals\nimage: 1\nimages: 2\nn: 5\n"
      "box min: -1 0 1e-3\nbox max: 1 0 2\n";
};

TEST_F(ImageFileText, SaysWhatThePageHolds) {
  const io::PageText text = read(kGood);
  EXPECT_EQ(text.kind, ImagePage::Kind::normals);
  EXPECT_EQ(text.image, 1u);
  EXPECT_EQ(text.images, 2u);
  EXPECT_EQ(text.version, 2u);
  EXPECT_EQ(text.n, 5);
  EXPECT_EQ(text.box, (Aabb{{-1, 0, 1e-3f}, {1, 0, 2}}));
}

TEST_F(ImageFileText, KeepsEveryBitOfTheBox) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> mantissa(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    Aabb box;
    for (int corner = 0; corner < 2; ++corner) {
      const auto one = [&] { return std::ldexp(mantissa(random), static_cast<int>(random() % 180) - 130); };
      box = extend(box, {one(), one(), one()});
    }
    const io::PageText text{.kind = ImagePage::Kind::normals, .image = 3, .images = 7, .n = 13, .box = box};
    ASSERT_EQ(read(io::write_page_text(text)).box, box);
  }
}

TEST_F(ImageFileText, MayHaveRemarksAndLinesThatEndAsOnOtherSystems) {
  EXPECT_EQ(read(std::string(kGood) + "a remark\ncolour: red\n").n, 5);
  std::string text;
  for (const char c : std::string(kGood)) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(text).n, 5);
}

TEST_F(ImageFileText, RefusesWhatCannotBeAndNamesFileAndPage) {
  using testing::HasSubstr;
  EXPECT_THAT(error("lamella geometry image", "holiday"), HasSubstr("a.tiff: page 4: "));
  EXPECT_THAT(error("lamella geometry image", "holiday"), HasSubstr("gi make"));
  EXPECT_THAT(error("version: 2", "version: 3"), HasSubstr("version is 3, and this library reads up to 2"));
  EXPECT_THAT(error("version: 2", "version: 99999999999"), HasSubstr("version"));
  EXPECT_THAT(error("version: 2", "version: 0"), HasSubstr("version"));
  EXPECT_THAT(error("version: 2\n", ""), HasSubstr("no \"version\""));
  EXPECT_THAT(error("normals", "colours"), HasSubstr("\"colours\""));
  EXPECT_THAT(error("image: 1", "image: 2"), HasSubstr("0 to 1"));
  EXPECT_THAT(error("images: 2", "images: 0"), HasSubstr("\"images\""));
  EXPECT_THAT(error("images: 2", "images: 4000000000"), HasSubstr("\"images\""));
  EXPECT_THAT(error("n: 5", "n: 14"), HasSubstr("1 to 13"));
  EXPECT_THAT(error("n: 5", "n: 0"), HasSubstr("1 to 13"));
  EXPECT_THAT(error("n: 5", "n: 5x"), HasSubstr("\"5x\""));
  EXPECT_THAT(error("n: 5", "n: -5"), HasSubstr("1 to 13"));
  EXPECT_THAT(error("n: 5", "n: 5\nn: 6"), HasSubstr("twice"));
  EXPECT_THAT(error("max: 1 0 2", "max: nan 0 2"), HasSubstr("three numbers"));
  EXPECT_THAT(error("max: 1 0 2", "max: 1 0 inf"), HasSubstr("three numbers"));
  EXPECT_THAT(error("max: 1 0 2", "max: 1 0 1e19"), HasSubstr("three numbers"));
  EXPECT_THAT(error("max: 1 0 2", "max: 1 0"), HasSubstr("three numbers"));
  EXPECT_THAT(error("max: 1 0 2", "max: 1 0 2 3"), HasSubstr("three numbers"));
  EXPECT_THAT(error("max: 1 0 2", "max: -1.5 0 2"), HasSubstr("must not be above"));
  EXPECT_THAT(error_of([] { (void)read(""); }), HasSubstr("does not begin"));
}

TEST_F(ImageFileText, SaysExactlyWhatIsWrong) {
  const std::string page = "a.tiff: page 4: ", end = "; write the file again";
  EXPECT_EQ(error("lamella geometry image", "holiday"),
            page +
                "its ImageDescription does not begin with \"lamella geometry image\": it is not a geometry image of "
                "this library; make one with `lamella gi make`");
  EXPECT_EQ(error("n: 5", "n: 5\nn: 6"), page + "its ImageDescription says \"n\" twice" + end);
  EXPECT_EQ(error("page: normals\n", ""), page + "its ImageDescription has no \"page\"" + end);
  EXPECT_EQ(error("n: 5", "n: 14"),
            page + "\"n\" in its ImageDescription is \"14\", expected a whole number from 1 to 13" + end);
  EXPECT_EQ(error("images: 2", "images: 32768"),
            page + "\"images\" in its ImageDescription is \"32768\", expected a whole number from 1 to 32767" + end);
  EXPECT_EQ(error("max: 1 0 2", "max: 1 x 2"), page +
                                                   "\"box max\" in its ImageDescription is \"1 x 2\", expected three "
                                                   "numbers from -1e+18 to 1e+18" +
                                                   end);
  EXPECT_EQ(error("version: 2", "version: two"), page + "its version is \"two\", expected a number from 1" + end);
  EXPECT_EQ(error("version: 2", "version: 7"),
            page + "its version is 7, and this library reads up to 2; use a later version of it");
  EXPECT_EQ(error("normals", "colours"),
            page + "it holds \"colours\", expected \"positions\", \"normals\" or \"pyramid\"" + end);
  EXPECT_EQ(error("max: 1 0 2", "max: 1 -1 2"),
            page + "its box goes from -1 0 1e-3 to 1 -1 2: the first must not be above the second on any axis" + end);
}

TEST_F(ImageFileText, TakesAllThatIsAllowedToItsLimits) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kGood;
    text.replace(text.find(from), from.size(), to);
    return read(text);
  };
  EXPECT_EQ(changed("version: 2", "version: 1").version, 1u);
  EXPECT_EQ(changed("images: 2", "images: 32767").images, 32767u);
  EXPECT_EQ(changed("image: 1", "image: 0").image, 0u);
  EXPECT_EQ(changed("n: 5", "n: 1").n, 1);
  EXPECT_EQ(changed("n: 5", "n: 13").n, 13);
  EXPECT_EQ(changed("max: 1 0 2", "max: 1e18 0 2").box.max.x, 1e18f);
  EXPECT_EQ(changed("min: -1 0", "min: -1e18 0").box.min.x, -1e18f);
  EXPECT_EQ(changed("min: -1 0 1e-3", "min: 1 0 2").box, (Aabb{{1, 0, 2}, {1, 0, 2}})) << "a single point";
  EXPECT_EQ(changed("normals", "positions").kind, ImagePage::Kind::positions);
  EXPECT_EQ(changed("normals", "pyramid").kind, ImagePage::Kind::pyramid);
  EXPECT_EQ(changed("n: 5", "note: a: b\nwithout colon\nn: 5").n, 5);
  EXPECT_EQ(read(std::string(kGood).substr(0, std::string(kGood).size() - 1)).box.max.z, 2)
      << "without its last end of line";
}

TEST_F(ImageFileText, IsWrittenAsTheFormatSays) {
  const io::PageText text{
      .kind = ImagePage::Kind::positions, .image = 3, .images = 7, .n = 2, .box = {{-1, 0.1f, 1e-20f}, {2, 3, 4e30f}}};
  EXPECT_EQ(io::write_page_text(text),
            "lamella geometry image\nversion: 2\npage: positions\nimage: 3\nimages: 7\nn: 2\n"
            "box min: -1 0.1 1e-20\nbox max: 2 3 4e+30\n");
}

}  // namespace
}  // namespace lamella::test
