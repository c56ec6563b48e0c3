// Files that are damaged, of another kind, or made to deceive: an Error of one line, or images that keep their rules.

#include <algorithm>
#include <cmath>
#include <random>

#include "geometry_image/files_support.hpp"
#include "support/allocations.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DamagedImageFile : public FileTest {
 protected:
  /// A file with one image of n levels.
  [[nodiscard]] std::string whole(int n = 2) const {
    std::filesystem::remove(path("whole.tiff"));
    write_images(path("whole.tiff"), {bumpy_sheet(n)});
    return contents_of(path("whole.tiff"));
  }
  [[nodiscard]] std::vector<RawPage> whole_pages(int n = 2) const {
    (void)whole(n);
    return load_pages(path("whole.tiff"));
  }

  /// Of reading; image_pages finds the same where it has nothing to do with pixels.
  [[nodiscard]] std::string error(std::string_view contents) const {
    return error_of([&] { (void)read_images(memory_of(contents), "a.tiff"); });
  }
  [[nodiscard]] std::string error(const std::vector<RawPage>& pages) const {
    std::filesystem::remove(path("b.tiff"));
    save_pages(path("b.tiff"), pages);
    const std::string message = error_of([&] { (void)read_images(path("b.tiff")); });
    EXPECT_THAT(message, HasSubstr("b.tiff: "));
    return message;
  }
  /// The message when one field of page `index` is changed.
  template <class Change>
  [[nodiscard]] std::string changed(std::size_t index, const Change& change) const {
    std::vector<RawPage> pages = whole_pages();
    change(pages[index]);
    return error(pages);
  }

  void try_to_read(std::string_view contents) {
    try {
      const auto images = read_images(memory_of(contents), "a.tiff");
      ASSERT_FALSE(images.empty());
      for (const GeometryImage& image : images) {
        ASSERT_EQ(image.positions.size(), std::size_t{image.side()} * image.side());
        ASSERT_EQ(image.normals.size(), image.positions.size());
        for (const Vec3 p : image.positions)
          ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
      }
      ++accepted_;
    } catch (const Error& e) {
      ASSERT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
      ASSERT_NE(std::string_view(e.what()).find("a.tiff: "), std::string_view::npos) << e.what();
    }
  }

  int accepted_ = 0;
};

TEST_F(DamagedImageFile, CutOffAnywhereItIsRefused) {
  const std::string contents = whole();
  for (std::size_t size = 0; size < contents.size(); ++size) {
    SCOPED_TRACE(size);
    ASSERT_NE(error(contents.substr(0, size)), "");
  }
}

TEST_F(DamagedImageFile, WithABitTurnedItIsRefusedOrReadAndNothingIsPrinted) {
  const std::string contents = whole(1);
  testing::internal::CaptureStderr();
  for (std::size_t bit = 0; bit < contents.size() * 8; bit += 3) {
    std::string damaged = contents;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    SCOPED_TRACE(bit);
    try_to_read(damaged);
    if (HasFatalFailure()) break;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(accepted_, 0) << "normals may change without notice";
}

TEST_F(DamagedImageFile, ChangedAtRandomItIsRefusedOrReadAndNothingIsPrinted) {
  std::mt19937 random(20240229);
  std::filesystem::remove(path("two.tiff"));
  write_images(path("two.tiff"), {bumpy_sheet(1), bumpy_sheet(2)});
  const std::string wholes[] = {whole(1), whole(3), contents_of(path("two.tiff"))};
  testing::internal::CaptureStderr();
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = wholes[random() % 3];
    const auto any = [&] { return random() % damaged.size(); };
    for (std::uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t length = 1 + random() % 16;
      switch (random() % 5) {
        case 0:
          damaged[any()] = static_cast<char>(random());
          break;
        case 1:
          damaged.insert(any(), damaged.substr(any(), length));
          break;
        case 2:
          damaged.erase(any(), length);
          break;
        case 3: {  // numbers that tend to matter, where numbers are
          constexpr std::uint32_t kNumbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000, 8};
          const std::size_t at = any() / 2 * 2;
          if (at + 4 <= damaged.size()) std::memcpy(damaged.data() + at, &kNumbers[random() % 8], 4);
          break;
        }
        default: {  // a piece of it elsewhere
          const std::size_t from = any(), to = any();
          damaged.replace(to, length, damaged.substr(from, length));
        }
      }
      if (damaged.size() < 64) break;
    }
    SCOPED_TRACE(round);
    try_to_read(damaged);
    if (HasFatalFailure()) break;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// ---- other kinds of files

TEST_F(DamagedImageFile, FilesOfOtherTypesAreNamedAsSuch) {
  EXPECT_THAT(error("\x89PNG\r\n\x1a\n and so on"), AllOf(HasSubstr("expected a TIFF file"), HasSubstr("PNG")));
  EXPECT_THAT(error("ply\nformat ascii 1.0\n"), HasSubstr("expected a TIFF file"));
  EXPECT_THAT(error("II"), HasSubstr("expected a TIFF file"));
  EXPECT_THAT(error(""), HasSubstr("empty"));
  EXPECT_THAT(error_of([&] { (void)read_images(path("none.tiff")); }), HasSubstr("cannot open"));
  EXPECT_THAT(error_of([&] { (void)image_pages(path("")); }), HasSubstr("found a folder"));
}

TEST_F(DamagedImageFile, PixelsOfOtherKindsAreRefused) {
  EXPECT_THAT(changed(0, [](RawPage& p) { p.bits = 8; }),
              AllOf(HasSubstr("page 1: expected 16 bits"), HasSubstr("found 8")));
  EXPECT_THAT(changed(1, [](RawPage& p) { p.bits = 32; }), HasSubstr("page 2: expected 16 bits"));
  EXPECT_THAT(changed(1, [](RawPage& p) { p.format = SAMPLEFORMAT_IEEEFP; }), HasSubstr("page 2: expected unsigned"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.format = SAMPLEFORMAT_INT; }), HasSubstr("expected unsigned"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.tile = 16; }), HasSubstr("found tiles"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.planar = PLANARCONFIG_SEPARATE; }), HasSubstr("side by side"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.photometric = PHOTOMETRIC_CIELAB; }), HasSubstr("expected RGB"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.orientation = ORIENTATION_BOTLEFT; }), HasSubstr("first row at the top"));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.compression = COMPRESSION_PACKBITS; }), HasSubstr("expected LZW"));
  EXPECT_THAT(changed(0,
                      [](RawPage& p) {
                        p.channels = 1;
                        p.photometric = PHOTOMETRIC_PALETTE;
                        p.bits = 8;
                      }),
              HasSubstr("expected 16 bits"));
  EXPECT_THAT(changed(0,
                      [](RawPage& p) {
                        p.channels = 1;
                        p.photometric = PHOTOMETRIC_MINISBLACK;
                      }),
              HasSubstr("expected 3 or 4 channels"));
  EXPECT_THAT(changed(0,
                      [](RawPage& p) {
                        p.channels = 4;
                        p.pixels.resize(100);
                      }),
              HasSubstr("4 channels, expected 3"));
}

TEST_F(DamagedImageFile, PicturesThatAreNoGeometryImagesAreRefused) {
  EXPECT_THAT(changed(0, [](RawPage& p) { p.description.clear(); }),
              AllOf(HasSubstr("no ImageDescription"), HasSubstr("gi make")));
  EXPECT_THAT(changed(0, [](RawPage& p) { p.description = "my holiday"; }), HasSubstr("does not begin with"));
}

TEST_F(DamagedImageFile, SizesMustBeThoseOfN) {
  EXPECT_THAT(changed(0, [](RawPage& p) { p.width = 4; }),
              AllOf(HasSubstr("page 1: it is 4 x 5 pixels"), HasSubstr("2^n + 1")));
  EXPECT_THAT(changed(1, [](RawPage& p) { p.height = 4; }), HasSubstr("page 2: it is 5 x 4 pixels"));
  std::vector<RawPage> old = as_version_1(whole_pages());
  old[2].width = 4;
  EXPECT_THAT(error(old), AllOf(HasSubstr("page 3: it is 4 x 4 pixels"), HasSubstr("3 * 2^(n-1)")));
}

// ---- pages

TEST_F(DamagedImageFile, PagesMustAllBeThereAndInOrder) {
  const std::vector<RawPage> pages = whole_pages();
  EXPECT_THAT(error({pages[0]}), HasSubstr("expected 2 pages, 2 for each image, found 1"));
  EXPECT_THAT(error({pages[1], pages[0]}), HasSubstr("page 1: expected positions of image 0, found normals"));
  EXPECT_THAT(error({pages[0], pages[0], pages[1]}), HasSubstr("page 2: expected normals"));
  EXPECT_THAT(error({pages[0], pages[1], pages[0]}), HasSubstr("page 2: it is followed by another page"));
  const std::vector<RawPage> old = as_version_1(pages);
  EXPECT_THAT(error({old[0], old[1]}), HasSubstr("expected 3 pages, 3 for each image, found 2"));
  EXPECT_THAT(error({old[0], old[2]}), HasSubstr("page 2: expected normals of image 0, found pyramid of image 0"));
  EXPECT_THAT(error({old[0], old[1], old[2], old[0]}), HasSubstr("page 3: it is followed by another page"));
}

TEST_F(DamagedImageFile, PagesMustBeOfOneFileAndOneImage) {
  std::vector<RawPage> pages = whole_pages(), others = whole_pages(3);
  EXPECT_THAT(error({pages[0], others[1]}), HasSubstr("page 2: its n and box"));
  RawPage moved = pages[1];
  moved.description.replace(moved.description.find("box min: -1"), 11, "box min: -9");
  EXPECT_THAT(error({pages[0], moved}), HasSubstr("page 2: its n and box"));
  write_images(path("two.tiff"), {bumpy_sheet(2), bumpy_sheet(2)});
  others = load_pages(path("two.tiff"));
  EXPECT_THAT(error({pages[0], others[1]}), HasSubstr("page 2: it is from a file of 2 images"));
  EXPECT_THAT(error({others[2], others[3]}), HasSubstr("page 1: expected positions of image 0"));
}

TEST_F(DamagedImageFile, PagesThatGoRoundInACircleEnd) {
  write_images(path("three.tiff"), {bumpy_sheet(1), bumpy_sheet(1), bumpy_sheet(1)});
  for (const int from : {0, 1, 2, 5}) {
    for (const int to : {0, 1, 2, 5}) {
      TiffBytes file(contents_of(path("three.tiff")));
      if (to == from + 1) continue;
      file.put(file.next_of(from), static_cast<std::uint32_t>(file.directory(to)));
      EXPECT_THAT(error(file.bytes()), HasSubstr("a.tiff: ")) << from << " to " << to;
    }
  }
}

TEST_F(DamagedImageFile, AFileOfALaterVersionAsksForALaterLibrary) {
  TiffBytes file(whole());
  file.replace("version: 2", "version: 3");
  EXPECT_THAT(error(file.bytes()), HasSubstr("page 1: its version is 3, and this library reads up to 2; use a later"));
}

// ---- sizes that are not there

TEST_F(DamagedImageFile, ATinyFileThatClaimsTheLargestImageTakesNoMemory) {
  std::vector<RawPage> pages = as_version_1(whole_pages());
  for (RawPage& page : pages) page.description.replace(page.description.find("n: 2"), 4, "n: 13");
  std::filesystem::remove(path("c.tiff"));
  save_pages(path("c.tiff"), pages);
  TiffBytes file(contents_of(path("c.tiff")));
  for (int page = 0; page < 3; ++page) {
    file.put(file.value_of(page, TIFFTAG_IMAGEWIDTH), std::uint32_t{page < 2 ? 8193u : 12288u});
    file.put(file.value_of(page, TIFFTAG_IMAGELENGTH), std::uint32_t{page < 2 ? 8193u : 8192u});
    file.put(file.value_of(page, TIFFTAG_ROWSPERSTRIP), std::uint32_t{page < 2 ? 8193u : 8192u});
  }
  std::string message;
  (void)allocations_of([&] { message = error(file.bytes()); });
  EXPECT_THAT(message, HasSubstr("page 1: the page is damaged or cut short"));
  EXPECT_LT(g_peak, 1 << 20);
}

TEST_F(DamagedImageFile, AFileThatUnpacksToManyTimesItsSizeIsRefusedBeforeItsPixelsAreRead) {
  // Two images of the largest size, 3.2 GB, with as many bytes in their strips as LZW needs at the very least.
  std::filesystem::remove(path("two.tiff"));
  write_images(path("two.tiff"), {bumpy_sheet(2), bumpy_sheet(2)});
  std::vector<RawPage> pages = load_pages(path("two.tiff"));
  for (RawPage& page : pages) page.description.replace(page.description.find("\nn: 2"), 5, "\nn: 13");
  save_pages(path("bomb.tiff"), pages);
  const std::string small = contents_of(path("bomb.tiff"));
  constexpr std::uint32_t kStrip = 8193u * 8193u * 6 / 4096 + 1;
  TiffBytes file(small + std::string(4 * std::size_t{kStrip}, '\0'));
  for (int page = 0; page < 4; ++page) {
    for (const std::uint16_t tag : {TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH, TIFFTAG_ROWSPERSTRIP}) {
      file.put(file.value_of(page, tag), std::uint32_t{8193});
    }
    const auto number = static_cast<std::uint32_t>(page);
    file.put(file.value_of(page, TIFFTAG_STRIPOFFSETS), static_cast<std::uint32_t>(small.size()) + number * kStrip);
    file.put(file.value_of(page, TIFFTAG_STRIPBYTECOUNTS), kStrip);
    file.put(file.value_of(page, TIFFTAG_STRIPBYTECOUNTS) - 6, std::uint16_t{TIFF_LONG});
  }
  const auto bytes = memory_of(file.bytes());
  EXPECT_EQ(image_pages(bytes).size(), 4u);
  std::string message;
  (void)allocations_of([&] { message = error_of([&] { (void)read_images(bytes, "a.tiff"); }); });
  EXPECT_THAT(message, AllOf(HasSubstr("a.tiff: reading it takes more memory than the limit of 207"),
                             HasSubstr("raise the limit (max_memory, on the command line --max-memory)")));
  EXPECT_LT(g_peak, 1 << 20);
}

TEST_F(DamagedImageFile, MaxMemoryBoundsTheImagesAndTheFile) {
  (void)whole(6);
  const auto images = [&](std::uint64_t limit) { return read_images(path("whole.tiff"), {.max_memory = limit}); };
  const std::uint64_t vertices = 65 * 65, file = std::filesystem::file_size(path("whole.tiff"));
  EXPECT_EQ(images(file + 2 * vertices * 24).size(), 1u);
  EXPECT_THAT(error_of([&] { (void)images(vertices * 24); }), HasSubstr("whole.tiff: reading it takes more memory"));
  EXPECT_EQ(image_pages(path("whole.tiff"), {.max_memory = file}).size(), 2u);
  EXPECT_THAT(error_of([&] { (void)image_pages(path("whole.tiff"), {.max_memory = file - 1}); }),
              HasSubstr("more memory than the limit"));
}

TEST_F(DamagedImageFile, MaxMemoryIsExact) {
  // The file, one strip of 129 rows, and every vertex: 12 bytes a vector or 6 a triple of codes.
  (void)whole(7);
  const std::uint64_t file = std::filesystem::file_size(path("whole.tiff")), strip = 129 * 129 * 6,
                      vertices = 129 * 129;
  const auto bytes = memory_of(contents_of(path("whole.tiff")));
  for (const bool skip : {false, true}) {
    const std::uint64_t vectors = skip ? vertices : 2 * vertices;
    const auto reads = [&](std::uint64_t limit, bool codes, bool memory) {
      const ImageFileOptions options{.max_memory = limit, .skip_normals = skip};
      try {
        if (codes)
          (void)(memory ? read_compact_images(bytes, "a", options) : read_compact_images(path("whole.tiff"), options));
        else
          (void)(memory ? read_images(bytes, "a", options) : read_images(path("whole.tiff"), options));
      } catch (const Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("reading it takes more memory than the limit of"));
        return false;
      }
      return true;
    };
    for (const bool codes : {false, true})
      for (const bool memory : {false, true}) {
        const std::uint64_t needed = (memory ? 0 : file) + strip + vectors * (codes ? 6 : 12);
        EXPECT_TRUE(reads(needed, codes, memory)) << codes << memory << skip;
        EXPECT_FALSE(reads(needed - 1, codes, memory)) << codes << memory << skip;
      }
  }
}

TEST_F(DamagedImageFile, MessagesSayExactlyWhatIsWrong) {
  const auto at = [&](int page) { return path("b.tiff").string() + ": page " + std::to_string(page) + ": "; };
  const std::string same = "; use the file as it was written", again = "; write the file again";
  const std::vector<RawPage> pages = whole_pages(), old = as_version_1(pages);
  EXPECT_EQ(changed(0, [](RawPage& p) { p.bits = 8; }),
            at(1) + "expected 16 bits a channel (TIFF tag 258), found 8" + same);
  EXPECT_EQ(changed(0, [](RawPage& p) { p.tile = 16; }), at(1) + "expected strips, found tiles" + same);
  EXPECT_EQ(changed(0, [](RawPage& p) { p.width = 4; }),
            at(1) + "it is 4 x 5 pixels; positions of n = 2 take 5 x 5, 2^n + 1 on either side" + same);
  EXPECT_EQ(changed(0,
                    [](RawPage& p) {
                      p.channels = 4;
                      p.pixels.resize(100);
                    }),
            at(1) + "it has 4 channels, expected 3 for positions" + same);
  std::vector<RawPage> spheres = old;
  spheres[2].height = 5;
  EXPECT_EQ(error(spheres), at(3) + "it is 6 x 5 pixels; pyramid of n = 2 take 6 x 4, 3 * 2^(n-1) by 2^n" + same);
  spheres = old;
  spheres[2].channels = 3;
  EXPECT_EQ(error(spheres), at(3) + "it has 3 channels, expected 4 for pyramid" + same);
  EXPECT_EQ(error({pages[0], pages[1], pages[0]}),
            at(2) + "it is followed by another page, and 1 images have 2" + same);
  EXPECT_EQ(error({pages[0]}), path("b.tiff").string() + ": expected 2 pages, 2 for each image, found 1" + again);
  write_images(path("two.tiff"), {bumpy_sheet(2), bumpy_sheet(2)});
  const std::vector<RawPage> others = load_pages(path("two.tiff"));
  EXPECT_EQ(error({pages[0], others[1]}),
            at(2) + "it is from a file of 2 images, and the first page from one of 1" + again);
  EXPECT_EQ(
      error({others[0], others[1], others[3], others[2]}),
      at(3) + "expected positions of image 1, found normals of image 1: pages are missing or in another order" + again);
  EXPECT_EQ(error({others[0], others[1], others[0], others[1]}),
            at(3) + "expected positions of image 1, found positions of image 0: pages are missing or in another order" +
                again);
  EXPECT_THAT(error("BM42 is a bitmap"),
              testing::StrEq("a.tiff: expected a TIFF file, which begins with \"II*\" or \"MM\"; found "
                             "\"BM42\"; geometry images are made with `lamella gi make`"));
}

TEST_F(DamagedImageFile, StripsMayUseEveryByteOfTheFileAndNoMore) {
  std::vector<RawPage> pages = whole_pages();
  for (RawPage& page : pages) page.compression = COMPRESSION_NONE;
  std::filesystem::remove(path("c.tiff"));
  save_pages(path("c.tiff"), pages);
  const std::string contents = contents_of(path("c.tiff"));
  const auto size = static_cast<std::uint32_t>(contents.size());
  const auto with = [&](std::uint32_t offset, std::uint32_t count, std::size_t more) {
    TiffBytes file(contents + std::string(more, '\x55'));
    file.put(file.value_of(1, TIFFTAG_STRIPOFFSETS) - 6, std::uint16_t{TIFF_LONG});
    file.put(file.value_of(1, TIFFTAG_STRIPOFFSETS), offset);
    file.put(file.value_of(1, TIFFTAG_STRIPBYTECOUNTS) - 6, std::uint16_t{TIFF_LONG});
    file.put(file.value_of(1, TIFFTAG_STRIPBYTECOUNTS), count);
    try {
      (void)read_images(memory_of(file.bytes()), "a.tiff");
    } catch (const Error& e) {
      EXPECT_THAT(
          e.what(),
          HasSubstr("a.tiff: page 2: the page is damaged or cut short; copy the file again, or write it again"));
      return false;
    }
    return true;
  };
  EXPECT_TRUE(with(size, 150, 150)) << "5 x 5 pixels of six bytes, at the very end";
  EXPECT_FALSE(with(size, 150, 149));
  EXPECT_FALSE(with(size + 1, 150, 150));
  EXPECT_TRUE(with(size, 160, 160)) << "more than the pixels need";
  EXPECT_FALSE(with(size + 200, 150, 150)) << "beyond the end";
}

TEST_F(DamagedImageFile, EveryStripMustHaveTheBytesOfItsRows) {
  std::vector<RawPage> pages = whole_pages();
  for (RawPage& page : pages) {
    page.compression = COMPRESSION_NONE;
    page.rows_per_strip = 3;  // strips of 90 and 60 bytes
  }
  std::filesystem::remove(path("c.tiff"));
  save_pages(path("c.tiff"), pages);
  const std::string contents = contents_of(path("c.tiff"));
  const auto with = [&](std::uint16_t first, std::uint16_t second) {
    TiffBytes file(contents);
    const std::size_t counts = file.value_of(1, TIFFTAG_STRIPBYTECOUNTS);
    EXPECT_EQ(file.get<std::uint16_t>(counts), 90);
    EXPECT_EQ(file.get<std::uint16_t>(counts + 2), 60);
    file.put(counts, first);
    file.put(counts + 2, second);
    try {
      EXPECT_EQ(image_pages(memory_of(file.bytes()))[1].stored_bytes, std::uint64_t{first} + second);
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("page 2: the page is damaged"));
      return false;
    }
    return true;
  };
  EXPECT_TRUE(with(90, 60));
  EXPECT_TRUE(with(91, 61));
  EXPECT_FALSE(with(89, 60));
  EXPECT_FALSE(with(90, 59));
}

TEST_F(DamagedImageFile, PackedTooWellItIsRefusedBeforeItIsUnpacked) {
  // 65 x 65 pixels of six bytes are 6.19 times 4096.
  const std::string contents = whole(6);
  const auto counted = [&](std::uint32_t bytes) {
    TiffBytes file(contents);
    file.put(file.value_of(0, TIFFTAG_STRIPBYTECOUNTS) - 6, std::uint16_t{TIFF_LONG});
    file.put(file.value_of(0, TIFFTAG_STRIPBYTECOUNTS), bytes);
    return error(file.bytes());
  };
  const std::string damaged =
      "a.tiff: page 1: the page is damaged or cut short; copy the file again, or write it again";
  EXPECT_EQ(counted(6), damaged);
  EXPECT_THAT(counted(7), HasSubstr(damaged + " (libtiff: ")) << "libtiff finds that it ends too soon";
}

TEST_F(DamagedImageFile, ShortenedWhileItIsReadItIsReadAllTheSame) {
  (void)whole(6);
  const auto expected = read_images(path("whole.tiff"));
  bool cut = false;
  const auto images = read_images(path("whole.tiff"), {.progress = [&](std::uint64_t, std::uint64_t) {
                                    if (!cut) std::filesystem::resize_file(path("whole.tiff"), 0);
                                    cut = true;
                                  }});
  EXPECT_TRUE(cut);
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].positions, expected[0].positions);
  EXPECT_EQ(images[0].normals, expected[0].normals);
}

TEST_F(DamagedImageFile, SizesBeyondEveryImageAreRefused) {
  for (const std::uint32_t size : {0u, 0x7fffffffu, 0xffffffffu}) {
    for (const std::uint16_t tag : {TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH}) {
      TiffBytes file(whole());
      const std::size_t at = file.value_of(1, tag);
      file.put(at - 6, std::uint16_t{TIFF_LONG});
      file.put(at, size);
      std::string message;
      (void)allocations_of([&] { message = error(file.bytes()); });
      EXPECT_THAT(message, HasSubstr("a.tiff: "));
      EXPECT_LT(g_peak, 1 << 20);
    }
  }
}

TEST_F(DamagedImageFile, StripsMayNotShareBytesNorReachBeyondTheFile) {
  const std::string contents = whole();
  for (const auto& [tag, value] : {std::pair<int, std::uint32_t>{TIFFTAG_STRIPOFFSETS, 0x7fffffff},
                                   {TIFFTAG_STRIPOFFSETS, static_cast<std::uint32_t>(contents.size())},
                                   {TIFFTAG_STRIPBYTECOUNTS, 0x7fffffff},
                                   {TIFFTAG_STRIPBYTECOUNTS, static_cast<std::uint32_t>(contents.size())},
                                   {TIFFTAG_STRIPBYTECOUNTS, 3}}) {
    TiffBytes file(contents);
    file.put(file.value_of(1, static_cast<std::uint16_t>(tag)), value);
    EXPECT_THAT(error(file.bytes()), HasSubstr("page 2: ")) << tag << " = " << value;
  }
  // Every page claims nearly all of the file.
  TiffBytes file(contents);
  for (int page = 0; page < 2; ++page) {
    file.put(file.value_of(page, TIFFTAG_STRIPOFFSETS), std::uint32_t{8});
    file.put(file.value_of(page, TIFFTAG_STRIPBYTECOUNTS), static_cast<std::uint32_t>(contents.size() - 8));
  }
  EXPECT_THAT(error(file.bytes()), HasSubstr("page 2: the page is damaged"));
}

}  // namespace
}  // namespace lamella::test
