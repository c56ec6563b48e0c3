// What write_images wrote comes back.

#include <algorithm>
#include <numbers>
#include <random>

#include "geometry_image/file/write.hpp"
#include "geometry_image/files_support.hpp"

namespace lamella::test {
namespace {

Aabb box_of(const GeometryImage& image) {
  Aabb box;
  for (const Vec3 p : image.positions) box = extend(box, p);
  return box;
}

/// Half a step on each axis and a rounding to float, as the header says.
void expect_close(const GeometryImage& actual, const GeometryImage& expected) {
  ASSERT_EQ(actual.n, expected.n);
  ASSERT_EQ(actual.positions.size(), expected.positions.size());
  const Aabb box = box_of(expected);
  for (int axis = 0; axis < 3; ++axis) {
    const double low = box.min[axis], high = box.max[axis];
    const double bound = (high - low) / 131070 * (1 + 1e-9) + std::max(std::abs(low), std::abs(high)) * 0x1p-24;
    for (std::size_t i = 0; i < actual.positions.size(); ++i)
      ASSERT_LE(std::abs(double{actual.positions[i][axis]} - expected.positions[i][axis]), bound) << i;
  }
}

class ImageFile : public FileTest {
 protected:
  std::vector<GeometryImage> round_trip(const std::vector<GeometryImage>& images) const {
    std::filesystem::remove(path("images.tiff"));
    write_images(path("images.tiff"), images);
    return read_images(path("images.tiff"));
  }
  [[nodiscard]] std::size_t files_in_folder() const {
    const std::filesystem::directory_iterator folder(path(""));
    return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
  }
};

TEST_F(ImageFile, TheSmallestSheetComesBack) {
  const GeometryImage sheet = image_from_heights(std::vector<float>(9, 0.5f), {0, 0, 0}, {1, 1, 0});
  const auto images = round_trip({sheet});
  ASSERT_EQ(images.size(), 1u);
  expect_close(images[0], sheet);
  ASSERT_EQ(images[0].normals.size(), 9u);
  for (const Vec3 normal : images[0].normals) EXPECT_EQ(normal, (Vec3{0, 0, 1}));
}

TEST_F(ImageFile, SeveralImagesOfSeveralSizesComeBackInOrder) {
  const std::vector<GeometryImage> images{bumpy_sheet(4), image_of_sphere(3, {5, 0, 0}, 2), bumpy_sheet(1),
                                          image_of_sphere(6)};
  const auto back = round_trip(images);
  ASSERT_EQ(back.size(), images.size());
  for (std::size_t i = 0; i < images.size(); ++i) expect_close(back[i], images[i]);
}

TEST_F(ImageFile, FarFromTheOriginPositionsComeBackWithinTheBound) {
  for (const Aabb& box : {Aabb{{1e6f, -1e6f, 1e6f}, {1e6f + 2, -1e6f + 1, 1e6f + 0.5f}},
                          Aabb{{-1e18f, -1e17f, 0}, {1e18f, 1e18f, 1}}, Aabb{{0, 0, 0}, {1e-30f, 1e-38f, 1e-42f}}}) {
    const GeometryImage sheet = bumpy_sheet(4, box);
    expect_close(round_trip({sheet})[0], sheet);
  }
}

TEST_F(ImageFile, AFlatSheetAndASinglePointComeBackExactly) {
  const GeometryImage point = image_from_positions(std::vector<Vec3>(25, Vec3{1.1f, -2.2f, 3.3f}));
  EXPECT_EQ(round_trip({point})[0].positions, point.positions);
  const GeometryImage flat = bumpy_sheet(2, {{0, 0, 0.3f}, {1, 1, 0.3f}});
  const auto back = round_trip({flat});
  for (const Vec3 p : back[0].positions) EXPECT_EQ(p.z, 0.3f);
}

TEST_F(ImageFile, AClosedSurfaceStaysClosed) {
  const GeometryImage sphere = image_of_sphere(5, {0.3f, 0.1f, 7}, 1.7f);
  const GeometryImage back = round_trip({sphere})[0];
  const Mesh before = to_mesh(sphere), after = to_mesh(back);
  EXPECT_EQ(after.triangles, before.triangles);
  EXPECT_LT(before.positions.size(), sphere.positions.size());
  EXPECT_EQ(inspect(after).boundary_edges, 0u);
}

TEST_F(ImageFile, WritingWhatWasReadGivesTheSamePositions) {
  const auto once = round_trip({bumpy_sheet(4), image_of_sphere(4, {1000, 0, 0})});
  const auto twice = round_trip(once);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(twice[i].positions, once[i].positions);
}

TEST_F(ImageFile, NormalsComeBackWithinTheStatedAngleAndZeroAsZero) {
  GeometryImage sphere = image_of_sphere(5);
  compute_normals(sphere);
  sphere.normals[77] = {};
  const GeometryImage back = round_trip({sphere})[0];
  ASSERT_EQ(back.normals.size(), sphere.normals.size());
  EXPECT_EQ(back.normals[77], Vec3{});
  for (std::size_t i = 0; i < back.normals.size(); ++i) {
    const Vec3d across = cross(to_double(sphere.normals[i]), to_double(back.normals[i]));
    ASSERT_LE(std::sqrt(dot(across, across)) * 180 / std::numbers::pi, 0.0016);
  }
}

TEST_F(ImageFile, NormalsAreComputedWhereThereAreNone) {
  GeometryImage with = bumpy_sheet(4);
  compute_normals(with);
  GeometryImage without = with;
  without.normals.clear();
  EXPECT_EQ(round_trip({without})[0].normals, round_trip({with})[0].normals);
}

/// By the formulas of docs/gi-file.md, apart from the library's code.
TEST_F(ImageFile, PixelsMeanWhatTheFormatSays) {
  GeometryImage image = bumpy_sheet(3, {{0.1f, 0.2f, 0.3f}, {1.1f, 2.3f, 3.7f}});
  compute_normals(image);
  const GeometryImage back = round_trip({image})[0];
  std::vector<RawPage> pages = load_pages(path("images.tiff"));
  ASSERT_EQ(pages.size(), 2u);
  const Aabb box = box_of(image);
  for (std::uint32_t i = 0; i < back.positions.size(); ++i) {
    const std::uint16_t *position = pages[0].at(i % 9, i / 9), *normal = pages[1].at(i % 9, i / 9);
    for (int axis = 0; axis < 3; ++axis) {
      const double low = box.min[axis], high = box.max[axis];
      ASSERT_FLOAT_EQ(back.positions[i][axis], static_cast<float>(low + position[axis] / 65535.0 * (high - low)));
      ASSERT_NEAR(image.normals[i][axis], (normal[axis] - 32767) / 32767.0, 0.5 / 32767 + 1e-6);
    }
  }
}

TEST_F(ImageFile, MemoryGivesTheSameImagesAndPagesAsTheFile) {
  write_images(path("a.tiff"), {bumpy_sheet(4), image_of_sphere(3)});
  const std::vector<std::byte> memory = memory_of(contents_of(path("a.tiff")));
  const auto from_file = read_images(path("a.tiff")), from_memory = read_images(memory);
  ASSERT_EQ(from_memory.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(from_memory[i].n, from_file[i].n);
    EXPECT_EQ(from_memory[i].positions, from_file[i].positions);
    EXPECT_EQ(from_memory[i].normals, from_file[i].normals);
  }
  const auto file_pages = image_pages(path("a.tiff")), memory_pages = image_pages(memory);
  ASSERT_EQ(memory_pages.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(memory_pages[i].kind, file_pages[i].kind);
    EXPECT_EQ(memory_pages[i].stored_bytes, file_pages[i].stored_bytes);
  }
}

TEST_F(ImageFile, FilesOfVersion1AreReadWithoutTheirSpheres) {
  const auto images = round_trip({bumpy_sheet(4), image_of_sphere(2)});
  save_pages(path("old.tiff"), as_version_1(load_pages(path("images.tiff")), 0xabcd));
  const auto old = read_images(path("old.tiff"));
  ASSERT_EQ(old.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(old[i].positions, images[i].positions);
    EXPECT_EQ(old[i].normals, images[i].normals);
  }
  const std::vector<ImagePage> pages = image_pages(path("old.tiff"));
  ASSERT_EQ(pages.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(pages[i].kind, static_cast<ImagePage::Kind>(i % 3));
    EXPECT_EQ(pages[i].image, i / 3);
  }
  EXPECT_EQ(pages[2].width, 24u);
  EXPECT_EQ(pages[2].height, 16u);
  EXPECT_EQ(pages[2].channels, 4u);
}

TEST_F(ImageFile, PagesSayWhatTheFileHolds) {
  const std::vector<GeometryImage> images{bumpy_sheet(3, {{0.1f, 0.2f, 0.3f}, {1.1f, 2.3f, 3.7f}}), image_of_sphere(2)};
  write_images(path("a.tiff"), images);
  const std::vector<ImagePage> pages = image_pages(path("a.tiff"));
  ASSERT_EQ(pages.size(), 4u);
  std::uint64_t stored = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ImagePage& page = pages[i];
    EXPECT_EQ(page.image, i / 2);
    EXPECT_EQ(page.kind, static_cast<ImagePage::Kind>(i % 2));
    EXPECT_EQ(page.n, images[i / 2].n);
    EXPECT_EQ(page.box, box_of(images[i / 2]));
    EXPECT_EQ(page.channels, 3u);
    EXPECT_GT(page.stored_bytes, 0u);
    stored += page.stored_bytes;
  }
  EXPECT_EQ(pages[0].width, 9u);
  EXPECT_EQ(pages[0].height, 9u);
  EXPECT_LT(stored, std::filesystem::file_size(path("a.tiff")));
}

TEST_F(ImageFile, ProgressRisesToTheWholeWhenWritingAndReading) {
  std::vector<std::uint64_t> calls;
  std::uint64_t whole = 0;
  const ImageFileOptions options{.progress = [&](std::uint64_t done, std::uint64_t total) {
    calls.push_back(done);
    whole = total;
  }};
  const auto expect_rising = [&] {
    ASSERT_GE(calls.size(), 4u);
    EXPECT_TRUE(std::ranges::is_sorted(calls));
    EXPECT_EQ(calls.back(), whole);
    EXPECT_EQ(whole, 129u + 129 + 3 + 3);
    calls.clear();
  };
  write_images(path("a.tiff"), {bumpy_sheet(7), bumpy_sheet(1)}, options);
  expect_rising();
  (void)read_images(path("a.tiff"), options);
  expect_rising();
}

TEST_F(ImageFile, TheSameImagesGiveTheSameBytes) {
  write_images(path("a.tiff"), {image_of_sphere(4)});
  write_images(path("b.tiff"), {image_of_sphere(4)});
  EXPECT_EQ(contents_of(path("a.tiff")), contents_of(path("b.tiff")));
}

TEST_F(ImageFile, LargeFilesAreBigTiffAndReadTheSame) {
  const std::vector<GeometryImage> images{bumpy_sheet(5), image_of_sphere(2)};
  io::write_images(path("big.tiff"), images, {}, true);
  EXPECT_EQ(contents_of(path("big.tiff")).substr(0, 3), "II+");
  const auto classic = round_trip(images), big = read_images(path("big.tiff"));
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_EQ(big[i].positions, classic[i].positions);
    EXPECT_EQ(big[i].normals, classic[i].normals);
  }
  // Twelve bytes a vertex may become eighteen; beside that 16 bytes a row and 1 KB, for each of two pages.
  const auto bytes = [](std::uint64_t side) { return 18 * side * side + 2 * (16 * side + 1024); };
  for (const int n : {1, 12}) {
    const GeometryImage image{n, {}, {}};
    const std::uint64_t most = 0xffffffffu / bytes(image.side());
    EXPECT_FALSE(io::may_exceed_4_gb(std::vector(most, image)));
    EXPECT_TRUE(io::may_exceed_4_gb(std::vector(most + 1, image)));
  }
  const GeometryImage largest{13, {}, {}};
  EXPECT_FALSE(io::may_exceed_4_gb(std::vector(3, largest)));
  EXPECT_TRUE(io::may_exceed_4_gb(std::vector(4, largest)));
}

TEST_F(ImageFile, SavedAgainWithoutLossItReadsTheSame) {
  const auto images = round_trip({bumpy_sheet(4)});
  const std::vector<RawPage> pages = load_pages(path("images.tiff"));
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
    for (const char* mode : {"wb", "wl", "wb8"}) {
      for (const std::uint32_t rows : {0u, 1u, 5u}) {
        std::vector<RawPage> changed = pages;
        for (RawPage& page : changed) {
          page.compression = compression;
          page.rows_per_strip = rows;
        }
        std::filesystem::remove(path("again.tiff"));
        save_pages(path("again.tiff"), changed, mode);
        const auto again = read_images(path("again.tiff"));
        EXPECT_EQ(again[0].positions, images[0].positions);
        EXPECT_EQ(again[0].normals, images[0].normals);
      }
    }
  }
}

TEST_F(ImageFile, OrdinaryToolsFindTheirTags) {
  write_images(path("a.tiff"), {bumpy_sheet(9)});
  TIFF* tiff = TIFFOpen(path("a.tiff").c_str(), "r");
  std::uint16_t value = 0;
  const char* text = nullptr;
  EXPECT_EQ(TIFFGetField(tiff, TIFFTAG_PREDICTOR, &value), 1);
  EXPECT_EQ(value, PREDICTOR_HORIZONTAL);
  TIFFGetField(tiff, TIFFTAG_COMPRESSION, &value);
  EXPECT_EQ(value, COMPRESSION_LZW);
  TIFFGetField(tiff, TIFFTAG_SOFTWARE, &text);
  EXPECT_EQ(std::string(text).substr(0, 8), "lamella ");
  EXPECT_GT(TIFFNumberOfStrips(tiff), 4u);
  TIFFSetDirectory(tiff, 1);
  TIFFGetField(tiff, TIFFTAG_PAGENAME, &text);
  EXPECT_EQ(std::string(text), "image 0 normals");
  TIFFClose(tiff);
}

TEST_F(ImageFile, EveryPageHasTheTagsOfTheFormat) {
  write_images(path("a.tiff"), {bumpy_sheet(9), bumpy_sheet(2)});
  TIFF* tiff = TIFFOpen(path("a.tiff").c_str(), "r");
  for (std::uint16_t page = 0; page < 4; ++page) {
    SCOPED_TRACE(page);
    ASSERT_EQ(TIFFSetDirectory(tiff, page), 1);
    const std::uint32_t side = page < 2 ? 513 : 5;
    const auto tag = [&](std::uint32_t number, auto value) {
      TIFFGetFieldDefaulted(tiff, number, &value);
      return value;
    };
    EXPECT_EQ(tag(TIFFTAG_SUBFILETYPE, std::uint32_t{}), std::uint32_t{FILETYPE_PAGE});
    EXPECT_EQ(tag(TIFFTAG_IMAGEWIDTH, std::uint32_t{}), side);
    EXPECT_EQ(tag(TIFFTAG_IMAGELENGTH, std::uint32_t{}), side);
    EXPECT_EQ(tag(TIFFTAG_BITSPERSAMPLE, std::uint16_t{}), 16);
    EXPECT_EQ(tag(TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{}), 3);
    EXPECT_EQ(tag(TIFFTAG_SAMPLEFORMAT, std::uint16_t{}), SAMPLEFORMAT_UINT);
    EXPECT_EQ(tag(TIFFTAG_PHOTOMETRIC, std::uint16_t{}), PHOTOMETRIC_RGB);
    EXPECT_EQ(tag(TIFFTAG_PLANARCONFIG, std::uint16_t{}), PLANARCONFIG_CONTIG);
    EXPECT_EQ(tag(TIFFTAG_ORIENTATION, std::uint16_t{}), ORIENTATION_TOPLEFT);
    EXPECT_EQ(tag(TIFFTAG_COMPRESSION, std::uint16_t{}), COMPRESSION_LZW);
    EXPECT_EQ(tag(TIFFTAG_PREDICTOR, std::uint16_t{}), PREDICTOR_HORIZONTAL);
    EXPECT_EQ(tag(TIFFTAG_ROWSPERSTRIP, std::uint32_t{}), page < 2 ? 42u : 5u) << "strips of 128 KB";
    std::uint16_t number = 0, count = 0;
    TIFFGetField(tiff, TIFFTAG_PAGENUMBER, &number, &count);
    EXPECT_EQ(number, page);
    EXPECT_EQ(count, 4);
    const std::string name = tag(TIFFTAG_PAGENAME, static_cast<const char*>(nullptr));
    EXPECT_EQ(name, page == 0   ? "image 0 positions"
                    : page == 1 ? "image 0 normals"
                    : page == 2 ? "image 1 positions"
                                : "image 1 normals");
  }
  EXPECT_EQ(TIFFSetDirectory(tiff, 4), 0) << "no more pages";
  TIFFClose(tiff);
}

TEST_F(ImageFile, LargerThanTheWritersChunksItComesBack) {
  // Noise, which no compression makes smaller: three megabytes.
  std::mt19937 random(9);
  std::vector<Vec3> positions(513 * 513);
  for (Vec3& p : positions)
    p = {static_cast<float>(random() % 65536), static_cast<float>(random() % 65536),
         static_cast<float>(random() % 65536)};
  positions[0] = {0, 0, 0};
  positions[1] = {65535, 65535, 65535};
  const GeometryImage noise = image_from_positions(positions);
  for (const bool big : {false, true}) {
    io::write_images(path(big ? "big.tiff" : "a.tiff"), {bumpy_sheet(1), noise, bumpy_sheet(3)}, {}, big);
    const auto back = read_images(path(big ? "big.tiff" : "a.tiff"));
    ASSERT_EQ(back.size(), 3u);
    EXPECT_GT(std::filesystem::file_size(path(big ? "big.tiff" : "a.tiff")), 3u << 20);
    EXPECT_EQ(back[1].positions, positions) << "all are codes";
    EXPECT_EQ(back[2].n, 3);
  }
}

TEST_F(ImageFile, ProgressCountsRowsOfEveryStrip) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  const ImageFileOptions options{
      .progress = [&](std::uint64_t done, std::uint64_t total) { calls.emplace_back(done, total); }};
  // 129 rows of 774 bytes are one strip, 257 rows of 1542 bytes two of 85 and one of the rest, and so on.
  using Call = std::pair<std::uint64_t, std::uint64_t>;
  const std::vector<Call> expected{{85, 520},  {170, 520}, {255, 520}, {257, 520}, {342, 520},
                                   {427, 520}, {512, 520}, {514, 520}, {517, 520}, {520, 520}};
  write_images(path("a.tiff"), {bumpy_sheet(8), bumpy_sheet(1)}, options);
  EXPECT_EQ(calls, expected);
  calls.clear();
  (void)read_images(path("a.tiff"), options);
  EXPECT_EQ(calls, expected);
  calls.clear();
  ImageFileOptions without = options;
  without.skip_normals = true;
  (void)read_compact_images(path("a.tiff"), without);
  EXPECT_EQ(calls, (std::vector<Call>{{85, 260}, {170, 260}, {255, 260}, {257, 260}, {260, 260}}));
}

TEST_F(ImageFile, HundredsOfImagesFitAFile) {
  const auto back = round_trip(std::vector<GeometryImage>(300, bumpy_sheet(1)));
  ASSERT_EQ(back.size(), 300u);
  EXPECT_EQ(back[299].positions, back[0].positions);
}

// ---- refused

TEST_F(ImageFile, WhatCannotBeWrittenIsRefusedAndAnEarlierFileStays) {
  using testing::HasSubstr;
  save("a.tiff", "earlier");
  const auto error = [&](const std::vector<GeometryImage>& images) {
    return error_of([&] { write_images(path("a.tiff"), images); });
  };
  const auto changed = [](auto change) {
    GeometryImage image = bumpy_sheet(2);
    change(image);
    return std::vector<GeometryImage>{bumpy_sheet(1), image};
  };
  EXPECT_THAT(error({}), HasSubstr("no images"));
  EXPECT_THAT(error(std::vector<GeometryImage>(32768)), HasSubstr("several files"));
  EXPECT_THAT(error(changed([](auto& i) { i.n = 0; })), HasSubstr("image 1: its n is 0"));
  EXPECT_THAT(error(changed([](auto& i) { i.n = 14; })), HasSubstr("image 1: its n is 14"));
  EXPECT_THAT(error(changed([](auto& i) { i.n = 3; })), HasSubstr("25 positions"));
  EXPECT_THAT(error(changed([](auto& i) { i.normals.resize(3); })), HasSubstr("3 normals"));
  EXPECT_THAT(error(changed([](auto& i) { i.positions[7].y = NAN; })), HasSubstr("position 7"));
  EXPECT_THAT(error(changed([](auto& i) { i.positions[7].z = -INFINITY; })), HasSubstr("position 7"));
  EXPECT_THAT(error(changed([](auto& i) { i.positions[8].x = 2e18f; })), HasSubstr("position 8"));
  EXPECT_THAT(error(changed([](auto& i) {
                compute_normals(i);
                i.normals[3].x = NAN;
              })),
              HasSubstr("normal 3"));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_THAT(error(changed([&](auto& i) { i.positions[4][axis] = -1.1e18f; })),
                HasSubstr("position 4 is not finite, or beyond 1e+18; scale the surface"));
    EXPECT_THAT(error(changed([&](auto& i) {
                  i.normals.assign(25, Vec3{});
                  i.normals[9][axis] = INFINITY;
                })),
                HasSubstr("cannot write image 1: normal 9 is not finite; give none and they are computed"));
  }
  const std::string file = path("a.tiff").string() + ": ";
  EXPECT_EQ(error(std::vector<GeometryImage>(32768)),
            file + "32768 images are more than the 32767 that a file can hold; write several files");
  EXPECT_EQ(error(changed([](auto& i) { i.n = 14; })), file + "cannot write image 1: its n is 14, expected 1 to 13");
  EXPECT_EQ(error(changed([](auto& i) { i.n = 3; })),
            file + "cannot write image 1: it has 25 positions; n = 3 needs 9 x 9");
  EXPECT_EQ(
      error(changed([](auto& i) { i.normals.resize(3); })),
      file + "cannot write image 1: it has 3 normals for 25 positions; give as many, or none and they are computed");
  EXPECT_EQ(contents_of(path("a.tiff")), "earlier");
  EXPECT_EQ(files_in_folder(), 1u);
  EXPECT_THAT(error_of([&] { write_images(path("none/a.tiff"), {bumpy_sheet(1)}); }), HasSubstr("cannot create"));
}

TEST_F(ImageFile, AWriterThatIsStoppedLeavesNothingBehind) {
  save("a.tiff", "earlier");
  const ImageFileOptions options{.progress = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("stop"); }};
  EXPECT_THROW(write_images(path("a.tiff"), {bumpy_sheet(3)}, options), std::runtime_error);
  EXPECT_EQ(contents_of(path("a.tiff")), "earlier");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ImageFile, CodesAreThoseOfTheImages) {
  write_images(path("images.tiff"), {bumpy_sheet(4), image_of_sphere(3)});
  const auto images = read_images(path("images.tiff"));
  const auto codes = read_compact_images(path("images.tiff"));
  ASSERT_EQ(codes.size(), 2u);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const GeometryImage back = expanded(codes[i]);
    EXPECT_EQ(back.n, images[i].n);
    EXPECT_EQ(back.positions, images[i].positions) << "bit for bit";
    EXPECT_EQ(back.normals, images[i].normals);
    EXPECT_EQ(compacted(images[i]).positions, codes[i].positions);
  }
}

TEST_F(ImageFile, NormalsAreLeftOutWhenAskedFor) {
  write_images(path("images.tiff"), {image_of_sphere(4)});
  std::uint64_t rows = 0;
  ImageFileOptions options{.progress = [&](std::uint64_t, std::uint64_t total) { rows = total; }};
  options.skip_normals = true;
  const auto codes = read_compact_images(path("images.tiff"), options);
  EXPECT_EQ(rows, 17u) << "of one page";
  EXPECT_TRUE(codes[0].normals.empty());
  const auto images = read_images(path("images.tiff"), options);
  EXPECT_TRUE(images[0].normals.empty());
  EXPECT_EQ(images[0].positions, expanded(codes[0]).positions);
}

}  // namespace
}  // namespace lamella::test
