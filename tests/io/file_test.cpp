#include "lamella/file.hpp"

#include <sys/stat.h>

#include <iterator>
#include <thread>

#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class WriteFile : public FileTest {
 protected:
  [[nodiscard]] std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path("")), {}));
  }
  static std::string write_error(const std::filesystem::path& file) {
    return error_of([&] { write_file(file, "text"); });
  }
};

TEST_F(WriteFile, TextAndBytesAreWrittenAsTheyAre) {
  write_file(path("a"), "one\ntwo");
  EXPECT_EQ(contents_of(path("a")), "one\ntwo");
  write_file(path("a"), memory_of(std::string_view("\0\xff\r\n", 4)));
  EXPECT_EQ(contents_of(path("a")), std::string("\0\xff\r\n", 4));
  write_file(path("a"), "");
  EXPECT_EQ(contents_of(path("a")), "");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, PiecesAroundTheBufferSizeStayInOrder) {
  NewFile file(path("a"));
  std::string expected;
  for (const std::size_t size : {3, (1 << 20) - 1, 5, 1 << 20, 0, (3 << 20) + 1, 2}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 23));
    file.write(piece);
    expected += piece;
    ASSERT_EQ(file.size(), expected.size());
  }
  file.commit();
  EXPECT_TRUE(contents_of(path("a")) == expected);
}

TEST_F(WriteFile, WhatWasWrittenCanBeOverwritten) {
  NewFile file(path("a"));
  file.write("count: ??, ");
  file.overwrite(7, std::as_bytes(std::span("42", 2)));
  file.write("end");
  file.commit();
  EXPECT_EQ(contents_of(path("a")), "count: 42, end");
}

TEST_F(WriteFile, UntilCommitTheEarlierFileStaysAndWithoutItNothingIsLeft) {
  save("a", "earlier");
  {
    NewFile file(path("a"));
    file.write(std::string(2 << 20, 'x'));
    EXPECT_EQ(contents_of(path("a")), "earlier");
    EXPECT_EQ(files_in_folder(), 2u);
  }
  EXPECT_EQ(contents_of(path("a")), "earlier");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, TemporariesOfAnotherRunAreLeftAlone) {
  NewFile first(path("a")), second(path("a"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(contents_of(path("a")), "first");
  second.commit();
  EXPECT_EQ(contents_of(path("a")), "second");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, FoldersAreRefused) {
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink(path("folder"), path("link"));
  EXPECT_THAT(write_error(path("folder")), HasSubstr("folder: is a folder; name a file in it"));
  EXPECT_THAT(write_error(path("link")), HasSubstr("link: is a folder"));
  EXPECT_THAT(write_error(path("none/a")), AllOf(HasSubstr("none/a: cannot create"), HasSubstr("No such file")));
  EXPECT_THAT(write_error(path("")), HasSubstr("is a folder"));
}

TEST_F(WriteFile, ALinkIsFollowedAndStaysALink) {
  save("target", "earlier, and longer");
  std::filesystem::create_symlink("target", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents_of(path("target")), "new");
  std::filesystem::create_symlink("later", path("dangling"));
  write_file(path("dangling"), "made");
  EXPECT_EQ(contents_of(path("later")), "made");
}

TEST_F(WriteFile, APipeIsWrittenDirectly) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents_of(path("pipe")); });
  write_file(path("pipe"), "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(WriteFile, AFullDeviceIsAnError) {
  EXPECT_THAT(write_error("/dev/full"), AllOf(HasSubstr("/dev/full: cannot write"), HasSubstr("No space left")));
  EXPECT_THAT(error_of([] { write_file("/dev/full", std::string(2 << 20, 'x')); }), HasSubstr("No space left"));
}

}  // namespace
}  // namespace lamella::test
