#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <fstream>

#include "lamella/error.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, removed with all that is in it.
class Png : public testing::Test {
 protected:
  Png() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("lamella_png_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Png() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path folder_;
};

Image colourful_image() {
  Image image{7, 5, std::vector<std::uint8_t>(3 * 7 * 5)};
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(i * 37);
  return image;
}

Image read_png(const fs::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.string().c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGB;
  Image image{png.width, png.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return {};
  return image;
}

std::string message_of_writing(const fs::path& path, const Image& image) {
  try {
    write_png(path, image);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Png, ReadsBackAsThePixelsThatWereWritten) {
  const Image image = colourful_image();
  write_png(folder_ / "a.png", image);
  const Image back = read_png(folder_ / "a.png");
  EXPECT_EQ(back.width, image.width);
  EXPECT_EQ(back.height, image.height);
  EXPECT_EQ(back.rgb, image.rgb);
  EXPECT_THAT(files(), testing::ElementsAre("a.png"));
}

TEST_F(Png, ReplacesAFileThatIsThere) {
  std::ofstream(folder_ / "a.png") << "old";
  write_png(folder_ / "a.png", colourful_image());
  EXPECT_EQ(read_png(folder_ / "a.png").rgb, colourful_image().rgb);
}

TEST_F(Png, LinksUnderNamesThatATemporaryCouldHaveAreNotFollowed) {
  for (const char* name : {"a.png.part", "a.png.tmp", ".a.png.part", ".a.png.tmp"}) {
    fs::create_symlink("victim", folder_ / name);
  }
  write_png(folder_ / "a.png", colourful_image());
  EXPECT_EQ(read_png(folder_ / "a.png").rgb, colourful_image().rgb);
  EXPECT_FALSE(fs::exists(folder_ / "victim"));
  EXPECT_EQ(files().size(), 5u) << "the links stay, and nothing else is left";
}

TEST_F(Png, ErrorsSpellOutControlCharactersOfTheName) {
  EXPECT_THAT(message_of_writing(folder_ / "a\x1b.png", Image{}), testing::HasSubstr("a\\u001b.png"));
}

TEST_F(Png, MissingFolderIsAnErrorThatNamesTheFile) {
  EXPECT_THAT(message_of_writing(folder_ / "none" / "a.png", colourful_image()), testing::HasSubstr("none/a.png"));
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(Png, PathThatCannotBeReplacedIsAnErrorAndLeavesNoTemporary) {
  fs::create_directories(folder_ / "a.png" / "inside");
  EXPECT_THAT(message_of_writing(folder_ / "a.png", colourful_image()), testing::HasSubstr("a.png"));
  EXPECT_THAT(files(), testing::ElementsAre("a.png"));
}

TEST_F(Png, ImageWithoutPixelsIsAnError) {
  EXPECT_THAT(message_of_writing(folder_ / "a.png", Image{}), testing::HasSubstr("a.png"));
  EXPECT_THAT(files(), testing::IsEmpty());
}

}  // namespace
}  // namespace lamella::picture
