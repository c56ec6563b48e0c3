#include "picture/film.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "lamella/error.hpp"
#include "picture/canvas.hpp"
#include "picture/shapes.hpp"

namespace lamella::picture {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class FilmFile : public testing::Test {
 protected:
  FilmFile() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("lamella_film_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FilmFile() override { fs::remove_all(folder_); }

  fs::path folder_;
};

Image frame(unsigned x) {
  Image image = blank(64, 48, {0.9f, 0.9f, 0.9f});
  paste(blank(10, 10, {0.8f, 0.1f, 0.1f}), image, x, 20);
  return image;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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

TEST_F(FilmFile, TheNamesEndChoosesTheFormat) {
  const auto film = make_film(folder_ / "a.PNG");
  film->add(frame(1));
  film->finish();
  EXPECT_EQ(content(folder_ / "a.PNG").substr(1, 3), "PNG");
  EXPECT_THAT(message_of([&] { (void)make_film(folder_ / "a.avi"); }), AllOf(HasSubstr("a.avi"), HasSubstr(".webm")));
}

#ifdef LAMELLA_GIF_TESTS
TEST_F(FilmFile, GifKeepsOneSizeAndSaysWhatIsWrong) {
  EXPECT_THAT(message_of([&] { make_film(folder_ / "a.gif")->finish(); }), HasSubstr("no frames"));
  EXPECT_THAT(message_of([&] {
                const auto film = make_film(folder_ / "a.gif");
                film->add(frame(0));
                film->add(blank(3, 3, {}));
              }),
              HasSubstr("another size"));
  EXPECT_TRUE(fs::is_empty(folder_)) << "nothing is left behind";
}
#endif

#ifdef LAMELLA_WEBM_TESTS
TEST_F(FilmFile, WebmSaysWhatItIsAndIsSmall) {
  const auto film = make_film(folder_ / "a.webm", {.frame_ms = 40, .hold_ms = 400});
  for (unsigned i = 0; i < 20; ++i) film->add(frame(2 * i));
  EXPECT_FALSE(fs::exists(folder_ / "a.webm")) << "not before it is whole";
  film->finish();
  const std::string bytes = content(folder_ / "a.webm");
  EXPECT_EQ(bytes.substr(0, 4), "\x1A\x45\xDF\xA3");
  EXPECT_THAT(bytes.substr(0, 400), AllOf(HasSubstr("webm"), HasSubstr("V_VP9")));
  EXPECT_LT(bytes.size(), 20u * 64 * 48);
  EXPECT_THAT(message_of([&] { make_film(folder_ / "b.webm")->finish(); }), HasSubstr("no frames"));
  EXPECT_THAT(message_of([&] {
                const auto other = make_film(folder_ / "b.webm");
                other->add(frame(0));
                other->add(blank(3, 3, {}));
              }),
              HasSubstr("another size"));
}

/// The size and content of every element at one level, by the rules of EBML.
struct Element {
  std::uint64_t id = 0, at = 0, size = 0;
};

std::vector<Element> elements(const std::string& bytes, std::uint64_t begin, std::uint64_t end) {
  std::vector<Element> out;
  const auto number = [&](std::uint64_t& at, bool marker) {
    const auto first = static_cast<unsigned char>(bytes.at(at));
    int length = 1;
    while (length < 8 && (first & (0x80 >> (length - 1))) == 0) ++length;
    std::uint64_t value = marker ? first : first & (0xFFu >> length);
    for (int i = 1; i < length; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::uint64_t>(i)));
    at += static_cast<std::uint64_t>(length);
    return value;
  };
  for (std::uint64_t at = begin; at < end;) {
    Element element;
    element.id = number(at, true);
    element.size = number(at, false);
    element.at = at;
    at += element.size;
    out.push_back(element);
  }
  return out;
}

TEST_F(FilmFile, WebmsElementsFitIntoOneAnotherAndItsIndexIsRight) {
  const auto film = make_film(folder_ / "a.webm", {.frame_ms = 40});
  for (unsigned i = 0; i < 130; ++i) film->add(frame(i % 50));
  film->finish();
  const std::string bytes = content(folder_ / "a.webm");
  const std::vector<Element> top = elements(bytes, 0, bytes.size());
  ASSERT_EQ(top.size(), 2u);
  ASSERT_EQ(top[1].id, 0x18538067u);
  ASSERT_EQ(top[1].at + top[1].size, bytes.size());
  const std::vector<Element> parts = elements(bytes, top[1].at, bytes.size());
  std::vector<std::uint64_t> clusters;
  std::uint64_t cues_at = 0, seek = 0;
  std::vector<std::uint64_t> indexed;
  std::size_t blocks = 0;
  const auto value = [&](const Element& e) {
    std::uint64_t v = 0;
    for (std::uint64_t i = 0; i < e.size; ++i) v = v << 8 | static_cast<unsigned char>(bytes[e.at + i]);
    return v;
  };
  constexpr std::uint64_t kHeader = 4 + 8;  // an element's number and size
  for (const Element& part : parts) {
    if (part.id == 0x114D9B74) {
      const Element entry = elements(bytes, part.at, part.at + part.size).front();
      seek = value(elements(bytes, entry.at, entry.at + entry.size).back());
    }
    if (part.id == 0x1F43B675) {
      clusters.push_back(part.at - kHeader - top[1].at);
      blocks += elements(bytes, part.at, part.at + part.size).size() - 1;
    }
    if (part.id != 0x1C53BB6B) continue;
    cues_at = part.at - kHeader - top[1].at;
    for (const Element& point : elements(bytes, part.at, part.at + part.size)) {
      const Element positions = elements(bytes, point.at, point.at + point.size).back();
      indexed.push_back(value(elements(bytes, positions.at, positions.at + positions.size).back()));
    }
  }
  EXPECT_GE(clusters.size(), 2u);
  EXPECT_EQ(indexed, clusters);
  EXPECT_EQ(seek, cues_at);
  EXPECT_GE(blocks, 131u) << "130 frames, and the last once more";
}
#endif

}  // namespace
}  // namespace lamella::picture
