#include <png.h>
#include <tiffio.h>

#include "cli/gi_support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GiTerrain : public Gi {
 protected:
  /// Heights that grow to the right and, more, towards the top.
  static std::vector<std::uint16_t> slope(unsigned width, unsigned height) {
    std::vector<std::uint16_t> values;
    for (unsigned y = 0; y < height; ++y)
      for (unsigned x = 0; x < width; ++x)
        values.push_back(static_cast<std::uint16_t>(100 * x + 1000 * (height - 1 - y)));
    return values;
  }

  [[nodiscard]] std::string save_png(const std::string& name, unsigned width, unsigned height,
                                     png_uint_32 format = PNG_FORMAT_LINEAR_Y) const {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = width;
    png.height = height;
    png.format = format;
    const std::vector<std::uint16_t> values = slope(width, height);
    const std::vector<std::uint8_t> bytes(std::size_t{4} * width * height, 51);
    const void* pixels = format == PNG_FORMAT_LINEAR_Y ? static_cast<const void*>(values.data()) : bytes.data();
    EXPECT_NE(png_image_write_to_file(&png, at(name).c_str(), 0, pixels, 0, nullptr), 0);
    return at(name);
  }

  [[nodiscard]] std::string save_tiff(const std::string& name, unsigned width, unsigned height, int bits) const {
    TIFF* tiff = TIFFOpen(at(name).c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
    std::vector<std::uint16_t> values = slope(width, height);
    std::vector<std::uint8_t> narrow;
    for (const std::uint16_t v : values) narrow.push_back(static_cast<std::uint8_t>(v / 257));
    for (unsigned y = 0; y < height; ++y) {
      void* row = bits == 16 ? static_cast<void*>(values.data() + y * width) : narrow.data() + y * width;
      EXPECT_EQ(TIFFWriteScanline(tiff, row, y, 0), 1);
    }
    TIFFClose(tiff);
    return at(name);
  }

  void cut_short(const std::string& path, double part) const {
    std::filesystem::resize_file(
        path, static_cast<std::uintmax_t>(part * static_cast<double>(std::filesystem::file_size(path))));
  }
};

TEST_F(GiTerrain, OfA16BitPngHasItsHeightsWithTheTopRowFurthestInY) {
  const std::string picture = save_png("h.png", 17, 17);
  const auto json = run({"gi", "terrain", picture, "--size", "32,16,65.535", "-o", at("t.tiff"), "--json"}).json();
  EXPECT_EQ(json["vertices"], 17);
  EXPECT_EQ(json["fitted"], "as it is");
  EXPECT_EQ(json["height_error"], 0);
  const GeometryImage image = read_images(at("t.tiff")).front();
  ASSERT_EQ(image.n, 4);
  for (const auto& [x, y] : std::vector<std::pair<int, int>>{{0, 0}, {16, 0}, {0, 16}, {5, 11}}) {
    const Vec3 p = image.positions[static_cast<std::size_t>(y * 17 + x)];
    EXPECT_NEAR(p.x, 2.0 * x, 1e-3);
    EXPECT_NEAR(p.y, 1.0 * y, 1e-3);
    EXPECT_NEAR(p.z, 0.1 * x + 1.0 * y, 1e-3);
  }
}

TEST_F(GiTerrain, CollidesLikeAnyOtherImage) {
  const std::string picture = save_png("h.png", 17, 17);
  ASSERT_EQ(run({"gi", "terrain", picture, "--size", "16,16,65.535", "-o", at("t.tiff")}).status, 0);
  const std::string ball = save_sphere("ball.tiff");
  // The ground is at 8.8 there.
  EXPECT_EQ(run({"gi", "collide", at("t.tiff"), ball, "--pose-b", "8,8,9"}).status, 1);
  EXPECT_EQ(run({"gi", "collide", at("t.tiff"), ball, "--pose-b", "8,8,12"}).status, 0);
}

TEST_F(GiTerrain, OfTiffFilesOf8And16BitsIsTheSameButForRounding) {
  ASSERT_EQ(run({"gi", "terrain", save_tiff("a.tif", 17, 17, 16), "-o", at("ta.tiff")}).status, 0);
  ASSERT_EQ(run({"gi", "terrain", save_tiff("b.tif", 17, 17, 8), "-o", at("tb.tiff")}).status, 0);
  const GeometryImage a = read_images(at("ta.tiff")).front(), b = read_images(at("tb.tiff")).front();
  ASSERT_EQ(a.positions.size(), b.positions.size());
  for (std::size_t i = 0; i < a.positions.size(); ++i) EXPECT_NEAR(a.positions[i].z, b.positions[i].z, 1.6 / 255);
  EXPECT_NEAR(a.positions.back().z, 1.6 * 17600 / 65535, 1e-3);
}

TEST_F(GiTerrain, OfAnotherSizeIsResampledOrCroppedAndSaysSo) {
  const std::string picture = save_png("h.png", 40, 30);
  const Outcome resampled = run({"gi", "terrain", picture, "--size", "39,29,65.535", "-o", at("r.tiff")});
  EXPECT_EQ(resampled.status, 0);
  EXPECT_THAT(resampled.out, AllOf(HasSubstr("40 x 30 points"), HasSubstr("33 x 33 vertices"), HasSubstr("resampled")));
  const GeometryImage image = read_images(at("r.tiff")).front();
  for (const Vec3 p : image.positions) EXPECT_NEAR(p.z, 0.1f * p.x + p.y, 2e-3);  // a slope stays one

  const auto cropped = run({"gi", "terrain", picture, "--crop", "-o", at("c.tiff"), "--json"}).json();
  EXPECT_EQ(cropped["fitted"], "cropped");
  EXPECT_EQ(cropped["vertices"], 17);
  EXPECT_EQ(cropped["height_error"], 0);
  EXPECT_EQ(cropped["size"][0], 16);
  expect_refusal({"gi", "terrain", picture, "--crop", "-n", "6", "-o", at("d.tiff")}, "cannot be cut out of 40 x 30");
}

TEST_F(GiTerrain, RefusesWhatIsNoPictureOfHeights) {
  const auto refuse = [&](const std::string& file, const std::string& words) {
    expect_refusal({"gi", "terrain", file, "-o", at("out.tiff")}, words);
  };
  refuse(save_png("rgb.png", 9, 9, PNG_FORMAT_RGB), "has colours; save it as greyscale");
  refuse(save_sphere("image.tiff"), "one channel");
  const std::string png = save_png("short.png", 65, 65), tiff = save_tiff("short.tif", 65, 65, 16);
  for (const double part : {0.9, 0.5, 0.9}) {
    cut_short(png, part);
    cut_short(tiff, part);
    refuse(png, "damaged or cut short");
    refuse(tiff, "damaged or cut short");
  }
  std::ofstream(at("text.png")) << "heights";
  refuse(at("text.png"), "expected a PNG file");
  refuse(at("absent.png"), "cannot be read");
  refuse(at("mesh.ply"), "lamella gi make");
  expect_refusal({"gi", "terrain", at("rgb.png")}, "where to?");
  expect_refusal({"gi", "terrain", at("rgb.png"), "--size", "1,2", "-o", at("out.tiff")}, "three numbers");
  expect_refusal({"gi", "terrain", at("rgb.png"), "--size", "1,2,0", "-o", at("out.tiff")}, "above 0");
}

TEST_F(GiTerrain, RefusesAHeaderThatPromisesMoreThanTheFileHas) {
  // 60,000 x 60,000, with the checksum that belongs to it.
  std::string bytes = content(save_png("huge.png", 9, 9));
  const std::string sides("\0\0\xea\x60\0\0\xea\x60", 8);
  bytes.replace(16, 8, sides);
  std::uint32_t crc = ~0u;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<unsigned char>(bytes[i]);
    for (int k = 0; k < 8; ++k) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  crc = ~crc;
  for (std::size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
  std::ofstream(at("huge.png"), std::ios::binary) << bytes;
  expect_refusal({"gi", "terrain", at("huge.png"), "-o", at("out.tiff")}, "60000 x 60000 points");
  bytes.replace(16, 8, std::string("\0\0\x3f\xff\0\0\x3f\xff", 8));
  std::ofstream(at("huge.png"), std::ios::binary) << bytes;
  expect_refusal({"gi", "terrain", at("huge.png"), "-o", at("out.tiff")}, "damaged or cut short");
}

}  // namespace
}  // namespace lamella::test
