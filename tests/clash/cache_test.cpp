// Answers kept in a file: reports are the same, only what changed is tested, and whatever happened to the file.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "clash/boxes.hpp"
#include "clash/pair_bytes.hpp"
#include "lamella/clash_cache.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// Bodies on a loose lattice, one of them with holes: overlaps, gaps and doubts.
Assembly crowd(std::size_t count = 30) {
  Assembly assembly;
  for (std::uint32_t i = 0; i < 3; ++i) assembly.meshes.push_back(scenes::blob(200 + 40 * i, i + 1));
  assembly.meshes[2].triangles.resize(assembly.meshes[2].triangles.size() - 3);
  for (std::size_t i = 0; i < count; ++i) {
    const double n = static_cast<double>(i);
    const Vec3d at{1.6 * static_cast<double>(i % 4), 1.8 * static_cast<double>(i / 4 % 4),
                   1.9 * static_cast<double>(i / 16)};
    assembly.parts.push_back({.name = std::string("p") + std::to_string(i),
                              .mesh = static_cast<std::uint32_t>(i % 3),
                              .pose = {at, rotation_about({1 + 0.1 * n, 0.3 * n, 2}, 0.7 * n)}});
  }
  return assembly;
}

ClashOptions quick() { return {.resolution = 32, .threads = 1, .clearance = 0.2, .keep_clear = true}; }

/// All of a report that does not depend on the clock, to the bit.
std::string bits(const ClashReport& report) {
  std::string out;
  for (const ClashPair& pair : report.pairs) {
    out += std::to_string(pair.a) + " " + std::to_string(pair.b) + " " + std::to_string(pair.rule) + " ";
    clash::append_bytes(out, pair);
  }
  for (const ClashFinding& finding : report.findings)
    for (const std::uint32_t pair : finding.pairs) out += std::to_string(pair) + " ";
  return out + std::to_string(report.candidate_count) + " " + std::to_string(report.tested_count);
}

class ClashCaches : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "lamella-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void save(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
  }
  [[nodiscard]] ClashReport find(const Assembly& assembly, ClashOptions options, unsigned process = 0) const {
    options.cache = std::make_shared<ClashCache>(at("cache"), process);
    return find_clashes(assembly, options);
  }
  [[nodiscard]] std::string refusal() const {
    try {
      (void)ClashCache(at("cache"));
    } catch (const Error& e) {
      return e.what();
    }
    return "opened";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ClashCaches, AnAnswerComesBackFromItsBytes) {
  std::size_t with_regions = 0, with_doubts = 0;
  for (ClashPair pair : find_clashes(crowd(), quick()).pairs) {
    std::string bytes;
    clash::append_bytes(bytes, pair);
    const auto back = clash::pair_of(bytes);
    ASSERT_TRUE(back);
    std::string again;
    clash::append_bytes(again, *back);
    EXPECT_EQ(again, bytes);
    EXPECT_EQ(back->kind, pair.kind);
    EXPECT_EQ(back->volume, pair.volume);
    EXPECT_EQ(back->min, pair.min);
    EXPECT_EQ(back->max, pair.max);
    EXPECT_EQ(back->way_out, pair.way_out);
    EXPECT_EQ(back->regions.size(), pair.regions.size());
    EXPECT_EQ(back->doubts, pair.doubts);
    with_regions += pair.regions.empty() ? 0 : 1;
    with_doubts += pair.doubts.empty() ? 0 : 1;
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_FALSE(clash::pair_of(std::string_view(bytes).substr(0, length)));
    EXPECT_FALSE(clash::pair_of(bytes + '\0'));
  }
  EXPECT_GT(with_regions, 0u);
  EXPECT_GT(with_doubts, 0u);
}

TEST_F(ClashCaches, BytesThatNoAnswerHasAreRefused) {
  std::string bytes;
  clash::append_bytes(bytes, {.doubts = {{Doubt::Cause::touching, 1, 5}}});
  for (const std::size_t at : {0u, 4u, 8u, 16u, 20u, 200u, 204u}) {
    std::string other = bytes;
    other[at] = 100;
    EXPECT_FALSE(clash::pair_of(other)) << at;
  }
}

TEST_F(ClashCaches, ReportsAreTheSameWithAnEmptyAFullAndAHalfFullOne) {
  const Assembly assembly = crowd();
  const ClashReport plain = find_clashes(assembly, quick());
  ASSERT_GT(plain.count(ClashClass::near), 0u);
  ASSERT_GT(plain.tested_count, 40u);
  const ClashReport first = find(assembly, quick()), second = find(assembly, quick());
  EXPECT_EQ(bits(first), bits(plain));
  EXPECT_EQ(first.reused_count, 0u);
  EXPECT_EQ(bits(second), bits(plain));
  EXPECT_EQ(second.reused_count, plain.tested_count);
  const std::string whole = content("cache");
  save("cache", whole.substr(0, whole.size() / 2));
  const ClashReport half = find(assembly, quick());
  EXPECT_EQ(bits(half), bits(plain));
  EXPECT_GT(half.reused_count, 0u);
  EXPECT_LT(half.reused_count, plain.tested_count);
  EXPECT_EQ(find(assembly, quick()).reused_count, plain.tested_count);
}

TEST_F(ClashCaches, OneObjectServesManyReports) {
  const Assembly assembly = crowd();
  ClashOptions options = quick();
  options.cache = std::make_shared<ClashCache>(at("cache"));
  const ClashReport first = find_clashes(assembly, options), second = find_clashes(assembly, options);
  EXPECT_EQ(second.reused_count, first.tested_count);
  EXPECT_EQ(options.cache->answer_count(), first.tested_count);
  EXPECT_EQ(bits(first), bits(second));
}

TEST_F(ClashCaches, AStoppedReportContinues) {
  const Assembly assembly = crowd();
  ClashOptions stopping = quick();
  int looks = 0;
  stopping.stop = [&] { return ++looks > 2; };
  const ClashReport some = find(assembly, stopping);
  EXPECT_FALSE(some.complete);
  const ClashReport all = find(assembly, quick());
  EXPECT_EQ(all.reused_count, some.tested_count);
  EXPECT_EQ(bits(all), bits(find_clashes(assembly, quick())));
}

TEST_F(ClashCaches, OnlyPairsOfAPartThatMovedAreTestedAgain) {
  Assembly assembly = crowd();
  (void)find(assembly, quick());
  assembly.parts[5].pose.translation.x += 0.01;
  const ClashReport plain = find_clashes(assembly, quick()), reused = find(assembly, quick());
  const auto of_part = std::count_if(plain.pairs.begin(), plain.pairs.end(),
                                     [](const ClashPair& pair) { return pair.a == 5 || pair.b == 5; });
  ASSERT_GT(of_part, 0);
  EXPECT_EQ(reused.tested_count - reused.reused_count, static_cast<std::uint64_t>(of_part));
  EXPECT_EQ(bits(reused), bits(plain));
}

TEST_F(ClashCaches, OnlyPairsOfAMeshThatChangedAreTestedAgain) {
  Assembly assembly = crowd();
  (void)find(assembly, quick());
  assembly.meshes[0].positions[7].x += 1e-3f;
  const ClashReport plain = find_clashes(assembly, quick()), reused = find(assembly, quick());
  const auto of_mesh = std::count_if(plain.pairs.begin(), plain.pairs.end(), [&](const ClashPair& pair) {
    return assembly.parts[pair.a].mesh == 0 || assembly.parts[pair.b].mesh == 0;
  });
  EXPECT_EQ(reused.tested_count - reused.reused_count, static_cast<std::uint64_t>(of_mesh));
  EXPECT_EQ(bits(reused), bits(plain));
}

TEST_F(ClashCaches, NamesNumbersAndRulesThatSayTheSameDoNotMatter) {
  Assembly assembly = crowd();
  (void)find(assembly, quick());
  std::swap(assembly.meshes[0], assembly.meshes[1]);
  for (AssemblyPart& part : assembly.parts) {
    part.name = "other " + part.name;
    if (part.mesh < 2) part.mesh = 1 - part.mesh;
  }
  assembly.parts.insert(assembly.parts.begin(), {.name = "far", .mesh = 0, .pose = {{100, 0, 0}, {}}});
  ClashOptions options = quick();
  options.rules = {{.name = "first", .a = "nothing", .b = "*"}};
  const ClashReport reused = find(assembly, options);
  EXPECT_EQ(reused.reused_count, reused.tested_count);
  EXPECT_EQ(bits(reused), bits(find_clashes(assembly, options)));
}

TEST_F(ClashCaches, ARuleIsNumberedAsItIsNow) {
  const Assembly assembly = crowd();
  ClashOptions options = quick();
  options.rules = {{.a = "p1*", .allowed_depth = 0.1}};
  (void)find(assembly, options);
  options.rules.insert(options.rules.begin(), {.a = "nothing"});
  const ClashReport reused = find(assembly, options);
  EXPECT_EQ(reused.reused_count, reused.tested_count);
  EXPECT_EQ(bits(reused), bits(find_clashes(assembly, options)));
}

TEST_F(ClashCaches, AnswersWithOtherOptionsAreNotUsed) {
  const Assembly assembly = crowd(12);
  (void)find(assembly, quick());
  std::vector<ClashOptions> others(10, quick());
  others[0].resolution = 33;
  others[1].tolerance = Tolerance{.relative = 0.1};
  others[2].certify = true;
  others[3].close_holes = false;
  others[4].touch = 0.01;
  others[5].way_out = WayOut::none;
  others[6].rules = {{.allowed_depth = 0.2}};
  others[7].rules = {{.allowed_volume = 0.2}};
  others[8].rules = {{.allow_contact = true}};
  others[9].rules = {{.clearance = 0.1}};
  for (std::size_t i = 0; i < others.size(); ++i) {
    const ClashReport reused = find(assembly, others[i]);
    EXPECT_EQ(reused.reused_count, 0u) << i;
    EXPECT_EQ(bits(reused), bits(find_clashes(assembly, others[i]))) << i;
  }
  ClashOptions same = quick();
  same.threads = 2;
  same.keep_clear = false;
  same.engine = "software";
  const ClashReport reused = find(assembly, same);
  EXPECT_EQ(reused.reused_count, reused.tested_count);
  EXPECT_EQ(bits(reused), bits(find_clashes(assembly, same)));
}

TEST_F(ClashCaches, AMeshThatIsThereTwiceIsNotOneMeshTwice) {
  Assembly one = test::two_parts(test::cube(1), test::cube(1));
  one.parts[1].mesh = 0;
  (void)find(one, quick());
  const Assembly two = test::two_parts(test::cube(1), test::cube(1));
  const ClashReport reused = find(two, quick());
  EXPECT_EQ(reused.reused_count, 0u);
  EXPECT_EQ(bits(reused), bits(find_clashes(two, quick())));
}

TEST_F(ClashCaches, SharesUseThem) {
  const Assembly assembly = crowd();
  const ClashReport whole = find(assembly, quick());
  const std::vector<MeshView> meshes(assembly.meshes.begin(), assembly.meshes.end());
  ClashOptions options = quick();
  options.cache = std::make_shared<ClashCache>(at("cache"), 3);
  std::vector<std::uint32_t> loaded;
  int loads = 0;
  const MeshesByNumber load = [&](std::span<const std::uint32_t> numbers) {
    ++loads;
    loaded.insert(loaded.end(), numbers.begin(), numbers.end());
    std::vector<Mesh> some;
    for (const std::uint32_t number : numbers) some.push_back(assembly.meshes.at(number));
    return some;
  };
  ClashShare share(assembly.parts, part_boxes(meshes, assembly.parts, options), load, options);
  const ClashReport report = share.find();
  EXPECT_EQ(report.reused_count, whole.tested_count);
  EXPECT_EQ(bits(report), bits(whole));
  EXPECT_THAT(loaded, UnorderedElementsAre(0, 1, 2));  // for their digests
  EXPECT_EQ(loads, 1);
}

TEST_F(ClashCaches, ProcessesFindEachOthersAnswers) {
  const Assembly assembly = crowd();
  ClashOptions stopping = quick();
  int looks = 0;
  stopping.stop = [&] { return ++looks > 2; };
  const ClashReport first = find(assembly, stopping, 2);
  EXPECT_TRUE(std::filesystem::exists(at("cache.rank2")));
  looks = 0;
  const ClashReport second = find(assembly, stopping, 0);
  EXPECT_GT(second.reused_count, 0u);
  save("cache.rank7", content("cache.rank2").substr(0, 50));  // a piece of an answer
  save("cache.rank8", "");
  save("cache.rank", "something else");
  save("cache.rank2.bak", "something else");
  const ClashReport third = find(assembly, quick(), 7);
  EXPECT_EQ(third.reused_count, second.tested_count);
  EXPECT_EQ(bits(third), bits(find_clashes(assembly, quick())));
  EXPECT_EQ(find(assembly, quick(), 1).reused_count, third.tested_count);
  save("cache.rank2", "something else that is longer");
  EXPECT_THAT(refusal(), HasSubstr("cache.rank2: is no cache of clashes"));
}

TEST_F(ClashCaches, AnEndThatIsTornAnywhereIsCutOff) {
  const Assembly assembly = crowd(6);
  const ClashReport plain = find(assembly, quick());
  const std::string whole = content("cache");
  std::uint32_t bytes = 0;
  std::size_t last = 16;
  for (std::size_t next = last; next < whole.size(); next += 32 + bytes) {
    last = next;
    std::memcpy(&bytes, whole.data() + next + 4, sizeof bytes);
  }
  for (std::size_t length = last; length < whole.size(); ++length) {
    save("cache", whole.substr(0, length));
    EXPECT_EQ(ClashCache(at("cache")).answer_count(), plain.tested_count - 1) << length;
    EXPECT_EQ(std::filesystem::file_size(at("cache")), last);
  }
  for (std::size_t at_byte = last; at_byte < whole.size(); ++at_byte) {
    std::string damaged = whole;
    damaged[at_byte] ^= 1;
    save("cache", damaged);
    EXPECT_EQ(ClashCache(at("cache")).answer_count(), plain.tested_count - 1) << at_byte;
  }
  for (std::size_t length = 0; length <= 16; ++length) {
    save("cache", whole.substr(0, length));
    EXPECT_EQ(ClashCache(at("cache")).answer_count(), 0u) << length;
    EXPECT_EQ(content("cache"), whole.substr(0, 16));
  }
  save("cache", whole + std::string(1000, '\0'));
  EXPECT_EQ(ClashCache(at("cache")).answer_count(), plain.tested_count);
  save("cache", whole.substr(0, last));
  EXPECT_EQ(bits(find(assembly, quick())), bits(plain));
  EXPECT_EQ(content("cache"), whole);
}

TEST_F(ClashCaches, DamageInTheMiddleIsAnError) {
  (void)find(crowd(6), quick());
  const std::string whole = content("cache");
  for (std::size_t byte = 16; byte < 16 + 32 + 100; ++byte) {  // of the first answer
    std::string damaged = whole;
    damaged[byte] ^= 0x40;
    save("cache", damaged);
    EXPECT_THAT(refusal(), HasSubstr("cache: is damaged at byte 16; delete it")) << byte;
    EXPECT_EQ(content("cache"), damaged);
  }
  save("cache", whole.substr(0, 16) + whole.substr(17));
  EXPECT_THAT(refusal(), HasSubstr("is damaged at byte 16"));
  save("cache", whole + std::string((1 << 22) + 1, 'x'));  // more than a killed process leaves
  EXPECT_THAT(refusal(), HasSubstr("is damaged at byte " + std::to_string(whole.size())));
}

TEST_F(ClashCaches, AFileThatChangesWhileItIsUsedIsAnError) {
  const Assembly assembly = crowd(6);
  (void)find(assembly, quick());
  ClashOptions options = quick();
  options.cache = std::make_shared<ClashCache>(at("cache"));
  std::string bytes = content("cache");
  bytes[100] ^= 1;
  std::fstream(at("cache"), std::ios::in | std::ios::out | std::ios::binary) << bytes;
  EXPECT_THROW((void)find_clashes(assembly, options), Error);
}

TEST_F(ClashCaches, OtherFilesAreRefusedAndStayAsTheyAre) {
  for (const std::string& text : {std::string("a letter to my aunt"), std::string("x"), std::string(64, '\0')}) {
    save("cache", text);
    EXPECT_THAT(refusal(), HasSubstr("cache: is no cache of clashes; name another file"));
    EXPECT_EQ(content("cache"), text);
  }
  save("cache", std::string("lamCLASH\x02\x00\x00\x00\x04\x03\x02\x01", 16));
  EXPECT_THAT(refusal(), HasSubstr("another version of lamella; delete it"));
  std::filesystem::remove(at("cache"));
  std::filesystem::create_directory(at("cache"));
  EXPECT_THAT(refusal(), HasSubstr("cache: cannot open the file for writing"));
  EXPECT_THROW((void)ClashCache("/dev/null"), Error);
  EXPECT_THROW((void)ClashCache(at("nowhere") / "cache"), Error);
}

TEST_F(ClashCaches, ASecondOneOfTheSameFileIsRefused) {
  const ClashCache first(at("cache")), other(at("cache"), 1);
  EXPECT_THAT(refusal(), HasSubstr("cache: another process is writing this file"));
}

TEST_F(ClashCaches, AFullDiskIsAnErrorAndTheFileStaysUsable) {
  const Assembly assembly = crowd();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 6'000;
  setrlimit(RLIMIT_FSIZE, &limit);
  std::string message;
  try {
    (void)find(assembly, quick());
  } catch (const Error& e) {
    message = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("cache: cannot write the answers (those before stay; run the same again when"));
  const ClashReport again = find(assembly, quick());
  EXPECT_GT(again.reused_count, 0u);
  EXPECT_EQ(bits(again), bits(find_clashes(assembly, quick())));
}

}  // namespace
}  // namespace lamella
