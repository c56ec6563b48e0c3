#include <sys/stat.h>

#include "io/support.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class MeshIo : public FileTest {
 protected:
  static std::string read_error_of(const std::filesystem::path& file) {
    return error_of([&] { (void)read_mesh(file); });
  }
};

TEST_F(MeshIo, AMissingFileIsNamed) {
  EXPECT_THAT(read_error_of(path("none.ply")), AllOf(HasSubstr("none.ply: cannot open"), HasSubstr("No such file")));
}

TEST_F(MeshIo, AnUnknownExtensionListsTheKnownOnes) {
  save("a.fbx", "x");
  EXPECT_THAT(read_error_of(path("a.fbx")),
              AllOf(HasSubstr(".ply .obj .stl .off .gltf .glb"), EndsWith("found \".fbx\"")));
  EXPECT_THAT(read_error("noextension", "x"), EndsWith("found \"\""));
  EXPECT_THAT(error_of([&] { (void)read_points(path("a.fbx")); }), HasSubstr(".glb .xyz"));
}

TEST_F(MeshIo, EmptyFilesAreRefusedInEveryFormat) {
  for (const char* name : {"a.ply", "a.obj", "a.stl", "a.off", "a.gltf", "a.glb"}) {
    EXPECT_THAT(read_error(name, ""), HasSubstr(std::string(name) + ": the file is empty"));
  }
}

TEST_F(MeshIo, DirectoriesAndPipesAreRefused) {
  std::filesystem::create_directory(path("folder.ply"));
  EXPECT_THAT(read_error_of(path("folder.ply")), HasSubstr("found a folder"));
  ASSERT_EQ(::mkfifo(path("pipe.ply").c_str(), 0600), 0);
  EXPECT_THAT(read_error_of(path("pipe.ply")), HasSubstr("found a pipe or a device"));
}

TEST_F(MeshIo, WhatIsNoFileIsNamedAsSuchWhateverItsExtension) {
  std::filesystem::create_directory(path("folder"));
  EXPECT_THAT(read_error_of(path("folder")), HasSubstr("expected a file, found a folder; name a file in it"));
  EXPECT_THAT(read_error_of(path("missing")), HasSubstr("missing: cannot open the file: No such file"));
  EXPECT_THAT(read_error_of("/dev/null"), HasSubstr("/dev/null: expected a regular file, found a pipe or a device"));
  EXPECT_THAT(read_error("empty", ""), HasSubstr("empty: the file is empty"));
  EXPECT_THAT(error_of([&] { (void)read_points(path("folder")); }), HasSubstr("found a folder"));
}

TEST_F(MeshIo, AFileThatMayNotBeReadIsRefused) {
  const auto file = save("secret.ply", "ply\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  if (::access(file.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read every file";
  EXPECT_THAT(read_error_of(file), HasSubstr("Permission denied"));
}

TEST_F(MeshIo, MessagesStayOneLineWhateverTheFileIsCalled) {
  EXPECT_THAT(read_error("new\nline.obj", "v x\n"), HasSubstr("new\\nline.obj:1: "));
}

/// An OBJ file of at least `size` bytes.
std::string large_obj(std::size_t size) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  while (text.size() < size) text += "# nothing to see in this line, it only takes up room in the file\n";
  return text;
}

TEST_F(MeshIo, ProgressOfALargeFileAscendsToItsSize) {
  const auto file = save("large.obj", large_obj(20'000'000));
  const std::uint64_t size = std::filesystem::file_size(file);
  std::vector<std::uint64_t> calls;
  (void)read_mesh(file, {.progress = [&](std::uint64_t done, std::uint64_t total) {
                    EXPECT_EQ(total, size);
                    calls.push_back(done);
                  }});
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_TRUE(std::is_sorted(calls.begin(), calls.end()));
  EXPECT_NEAR(static_cast<double>(calls.front()), 8 << 20, 1000);
  EXPECT_EQ(calls.back(), size);
}

TEST_F(MeshIo, AFileThatIsShortenedWhileItIsReadDoesNoHarm) {
  const auto file = save("large.obj", large_obj(20'000'000) + "v 5 6 7\n");
  int calls = 0;
  const Mesh mesh = read_mesh(file, {.progress = [&](std::uint64_t, std::uint64_t) {
                                if (calls++ == 0) std::filesystem::resize_file(file, 0);
                              }});
  EXPECT_GT(calls, 0);
  EXPECT_EQ(std::filesystem::file_size(file), 0u);
  expect_equal(mesh, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 6, 7}}, {{0, 1, 2}}});
}

TEST_F(MeshIo, AFileThatIsShorterThanItSaysIsRefused) {
  // Such a file is a page long by its size, and has some bytes.
  const std::filesystem::path shorter = "/sys/kernel/mm/transparent_hugepage/enabled";
  if (!std::filesystem::exists(shorter)) GTEST_SKIP() << "there is no " << shorter;
  std::filesystem::create_symlink(shorter, path("a.obj"));
  EXPECT_THAT(
      read_error_of(path("a.obj")),
      AllOf(HasSubstr("a.obj: expected 4096 bytes, found the end of the file at byte "), HasSubstr("read it again")));
}

TEST_F(MeshIo, ProgressIsNotCalledForASmallFile) {
  const auto file = save("small.obj", large_obj(1000));
  (void)read_mesh(file, {.progress = [](std::uint64_t, std::uint64_t) { FAIL(); }});
}

}  // namespace
}  // namespace lamella::test
