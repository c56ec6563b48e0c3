#include <gmock/gmock.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "house/links.hpp"

namespace lamella::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> targets(const std::string& markdown) {
  std::vector<std::string> out;
  for (const Link& link : links_in(markdown)) out.push_back(link.target + "@" + std::to_string(link.line));
  return out;
}

TEST(Links, AreFoundOutsideOfCodeAlone) {
  EXPECT_THAT(targets("[a](b.md) and ![c](d.png \"title\")\n[e](<f.md>)\n"),
              ElementsAre("b.md@1", "d.png@1", "f.md@2"));
  EXPECT_THAT(targets("`[a](b)`\n```cpp\nx[i](j);\n```\n<img src=\"k.png\">\n[l]: m.md\n"),
              ElementsAre("k.png@5", "m.md@6"));
  EXPECT_THAT(targets("[![badge](a.svg)](b.md)"), ElementsAre("a.svg@1", "b.md@1"));
}

TEST(Links, CanNameHeadings) {
  EXPECT_THAT(
      anchors_in("# The CUDA engine, with `nvcc` (and without)\n## Cost\ntext\n## Cost\n```\n# no heading\n```\n"),
      UnorderedElementsAre("the-cuda-engine-with-nvcc-and-without", "cost", "cost-1"));
  EXPECT_THAT(anchors_in("## [A](b.md) & C\n<a id=\"here\"></a>\n"), UnorderedElementsAre("a--c", "here"));
}

/// A tree of its own.
class Tree : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("lamella_links_" + std::to_string(::getpid()));
    fs::create_directories(root_ / "docs");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(root_ / name) << text; }

  fs::path root_;
};

TEST_F(Tree, WithoutDeadLinksHasNone) {
  write("README.md",
        "[d](docs/a.md) [h](docs/a.md#one) [self](#top) [folder](docs) [w](https://example.org/x)\n# Top\n");
  write("docs/a.md", "# One\n[back](../README.md#top) [m](mailto:a@b.c)\n");
  EXPECT_THAT(dead_links(root_), IsEmpty());
}

TEST_F(Tree, WithDeadLinksNamesThem) {
  write("README.md", "# Top\n[a](none.md)\n[b](docs/a.md#two)\n[c](#bottom)\n[d](../outside.md)\n");
  write("docs/a.md", "# One\n![e](images/none.png)\n");
  EXPECT_THAT(
      dead_links(root_),
      UnorderedElementsAre("README.md:2: none.md: no such file", "README.md:3: docs/a.md#two: no such heading",
                           "README.md:4: #bottom: no such heading", "README.md:5: ../outside.md: leads out of the tree",
                           "docs/a.md:2: images/none.png: no such file"));
}

/// The checkout, unless the environment names an installed tree.
TEST(Links, OfTheTreeLeadSomewhere) {
  const char* set = std::getenv("LAMELLA_TREE");
  const fs::path root = set != nullptr ? set : LAMELLA_SOURCE;
  ASSERT_TRUE(fs::exists(root / "README.md")) << root;
  EXPECT_THAT(dead_links(root), IsEmpty());
}

}  // namespace
}  // namespace lamella::test
