// Heights from TIFF files: every value, and the limits of what is accepted.

#include <array>

#include "geometry_image/files_support.hpp"
#include "lamella/heights.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

constexpr const char* kDamaged = "a.tiff: the picture is damaged or cut short; copy it again, or write it again";

class HeightsFile : public FileTest {
 protected:
  /// Grey, of 7 x 5 points.
  static RawPage grey(int bits = 16) {
    RawPage page;
    page.width = 7;
    page.height = 5;
    page.channels = 1;
    page.bits = bits;
    page.photometric = PHOTOMETRIC_MINISBLACK;
    page.compression = COMPRESSION_NONE;
    page.pixels.assign(35, 0);
    for (std::uint32_t y = 0; y < 5; ++y)
      for (std::uint32_t x = 0; x < 7; ++x) {
        if (bits == 16)
          *page.at(x, y) = static_cast<std::uint16_t>(value(x, y, 16));
        else  // a row of bytes in the first half of the row
          reinterpret_cast<std::uint8_t*>(page.at(0, y))[x] = static_cast<std::uint8_t>(value(x, y, 8));
      }
    return page;
  }
  static float value(std::uint32_t x, std::uint32_t y, int bits) {
    return static_cast<float>(bits == 16 ? 65535 - 259 * x - 3000 * y : 255 - 3 * x - 40 * y);
  }

  [[nodiscard]] std::string bytes_of(const RawPage& page, const char* mode = "w") const {
    std::filesystem::remove(path("heights.tiff"));
    save_pages(path("heights.tiff"), {page}, mode);
    return contents_of(path("heights.tiff"));
  }
  static Heights read(std::string_view bytes) { return read_tiff_heights(memory_of(bytes), "a.tiff"); }
  /// Empty when there is none.
  static std::string error(std::string_view bytes) {
    try {
      (void)read(bytes);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  [[nodiscard]] std::string changed(const auto& change) const {
    RawPage page = grey();
    change(page);
    return error(bytes_of(page));
  }
  static std::string refusal(const std::string& what, int tag, int found) {
    return "a.tiff: a terrain is read from " + what + " (TIFF tag " + std::to_string(tag) + "), found " +
           std::to_string(found) + "; save the picture as greyscale of 8 or 16 bits, in strips";
  }
};

TEST_F(HeightsFile, OfEightAndSixteenBitsComeBackHoweverTheyAreStored) {
  for (const int bits : {8, 16})
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
      for (const std::uint32_t rows : {0u, 1u, 2u, 100u})
        for (const char* mode : {"wl", "wb", "w8"}) {
          SCOPED_TRACE(testing::Message() << bits << " bits, " << compression << ", " << rows << ", " << mode);
          RawPage page = grey(bits);
          page.compression = compression;
          page.rows_per_strip = rows;
          const Heights heights = read(bytes_of(page, mode));
          EXPECT_EQ(heights.width, 7u);
          EXPECT_EQ(heights.height, 5u);
          EXPECT_EQ(heights.most, bits == 16 ? 65535 : 255);
          ASSERT_EQ(heights.values.size(), 35u);
          for (std::uint32_t i = 0; i < 35; ++i) ASSERT_EQ(heights.values[i], value(i % 7, i / 7, bits)) << i;
        }
}

TEST_F(HeightsFile, OfTheOlderNumberOfDeflateAreReadToo) {
  RawPage page = grey();
  page.compression = COMPRESSION_ADOBE_DEFLATE;
  TiffBytes file(bytes_of(page));  // written by number, for libtiff warns about writing it
  file.put(file.value_of(0, TIFFTAG_COMPRESSION), std::uint16_t{COMPRESSION_DEFLATE});
  EXPECT_EQ(read(file.bytes()).values[34], value(6, 4, 16));
}

TEST_F(HeightsFile, OfAnyOtherKindAreRefused) {
  EXPECT_EQ(changed([](RawPage& p) {
              p.channels = 3;
              p.photometric = PHOTOMETRIC_RGB;
              p.pixels.resize(105);
            }),
            refusal("one channel, grey", 277, 3));
  EXPECT_EQ(changed([](RawPage& p) { p.bits = 32; }), refusal("8 or 16 bits", 258, 32));
  EXPECT_EQ(changed([](RawPage& p) { p.format = SAMPLEFORMAT_INT; }), refusal("unsigned integers, 1", 339, 2));
  EXPECT_EQ(changed([](RawPage& p) { p.photometric = PHOTOMETRIC_MINISWHITE; }),
            refusal("grey with 0 black, 1", 262, 0));
  EXPECT_EQ(changed([](RawPage& p) { p.tile = 16; }),
            "a.tiff: the picture is in tiles; save it in strips, as most programs do: tiffcp -s");
  TiffBytes file(bytes_of(grey()));
  file.put(file.value_of(0, TIFFTAG_COMPRESSION), std::uint16_t{COMPRESSION_NEXT});
  EXPECT_EQ(error(file.bytes()), refusal("no compression, LZW, deflate or packbits", 259, COMPRESSION_NEXT));
  EXPECT_THAT(error("no picture"), HasSubstr("a.tiff: expected a TIFF file"));
}

TEST_F(HeightsFile, HaveTwoPointsASideAtLeastAndTheirLimitAtMost) {
  const auto sized = [&](std::uint32_t width, std::uint32_t height) {
    TiffBytes file(bytes_of(grey()));
    file.put(file.value_of(0, TIFFTAG_IMAGEWIDTH) - 6, std::uint16_t{TIFF_LONG});
    file.put(file.value_of(0, TIFFTAG_IMAGELENGTH) - 6, std::uint16_t{TIFF_LONG});
    file.put(file.value_of(0, TIFFTAG_IMAGEWIDTH), width);
    file.put(file.value_of(0, TIFFTAG_IMAGELENGTH), height);
    return error(file.bytes());
  };
  const auto refused = [](const std::string& size) {
    return "a.tiff: the picture has " + size + " points; a terrain has 2 x 2 to 268435456 in all; scale it first";
  };
  EXPECT_EQ(sized(1, 5), refused("1 x 5"));
  EXPECT_EQ(sized(5, 1), refused("5 x 1"));
  EXPECT_EQ(sized(2, 2), "");
  EXPECT_EQ(sized(1u << 15, (1u << 13) + 1), refused("32768 x 8193"));
  EXPECT_THAT(sized(1u << 15, 1u << 13), HasSubstr(kDamaged)) << "not too large, but not there";
}

TEST_F(HeightsFile, MustHaveAllBytesOfTheirStrips) {
  RawPage page = grey();
  page.rows_per_strip = 3;  // strips of 42 and 28 bytes
  const std::string whole = bytes_of(page);
  const auto strips = [&](std::uint32_t last_offset, std::array<std::uint32_t, 2> counts, std::string more) {
    // Both lists are LONGs elsewhere in the file: libtiff writes counts below 65536 as SHORTs in the entry.
    TiffBytes file(whole + more);
    const std::size_t offsets = file.value_of(0, TIFFTAG_STRIPOFFSETS),
                      bytes = file.value_of(0, TIFFTAG_STRIPBYTECOUNTS);
    EXPECT_EQ(file.get<std::uint16_t>(bytes - 6), TIFF_SHORT);
    const std::size_t second =
        file.get<std::uint32_t>(offsets) + (file.get<std::uint16_t>(offsets - 6) == TIFF_LONG ? 4 : 2);
    if (file.get<std::uint16_t>(offsets - 6) == TIFF_LONG)
      file.put(second, last_offset);
    else
      file.put(offsets + 2, static_cast<std::uint16_t>(last_offset));
    file.put(bytes, static_cast<std::uint16_t>(counts[0]));
    file.put(bytes + 2, static_cast<std::uint16_t>(counts[1]));
    return error(file.bytes());
  };
  const std::string last = whole.substr(whole.size() - 28);
  const auto end = static_cast<std::uint32_t>(whole.size());
  EXPECT_EQ(strips(end, {42, 28}, last), "") << "the last bytes of the file belong to it";
  EXPECT_THAT(strips(end, {42, 28}, last.substr(1)), HasSubstr(kDamaged));
  EXPECT_THAT(strips(end + 1, {42, 28}, last), HasSubstr(kDamaged));
  EXPECT_THAT(strips(end, {42, 27}, last), HasSubstr(kDamaged));
  EXPECT_THAT(strips(end, {41, 28}, last), HasSubstr(kDamaged));
  EXPECT_THAT(strips(60000, {42, 28}, last), HasSubstr(kDamaged));
}

TEST_F(HeightsFile, PackedTooWellAreRefused) {
  // 64 rows of 64 points: 8192 bytes, which no code of LZW can stand for in less than three bytes.
  RawPage page = grey();
  page.width = page.height = 64;
  page.compression = COMPRESSION_LZW;
  page.pixels.assign(64 * 64, 7);
  const std::string whole = bytes_of(page);
  EXPECT_EQ(error(whole), "");
  const auto counted = [&](std::uint16_t bytes) {
    TiffBytes file(whole);
    file.put(file.value_of(0, TIFFTAG_STRIPBYTECOUNTS), std::uint32_t{bytes});
    return error(file.bytes());
  };
  EXPECT_EQ(counted(2), kDamaged) << "before libtiff unpacks it";
  EXPECT_THAT(counted(3), HasSubstr(std::string(kDamaged) + " (libtiff: ")) << "when libtiff unpacks it";
}

}  // namespace
}  // namespace lamella::test
