// What the four papers measured, as they printed it:
//   wscg   Heidelberger, Teschner, Gross: "Detection of Collisions and Self-collisions Using Image-space Techniques",
//          WSCG 2004
//   tr395  the same authors: "Volumetric Collision Detection for Deformable Objects", ETH TR 395, 2003
//   jang   Jang, Jeong, Han: "GPU-based Image-space Approach to Collision Detection among Closed Objects"
//   gi     Benes, Gomez Villanueva: "GI-COLLIDE: Collision Detection with Geometry Images"

#include "bench/paper/published.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

/// In the order of WSCG's columns.
Row generators(double ordered, double unordered, double software) {
  return {{"paper_ordered_ms", ordered}, {"paper_unordered_ms", unordered}, {"paper_software_ms", software}};
}

Row generators(double ordered, double unordered, double software, double ordered_max, double unordered_max,
               double software_max) {
  Row row = generators(ordered, unordered, software);
  row.set({"paper_ordered_max_ms", ordered_max});
  row.set({"paper_unordered_max_ms", unordered_max});
  row.set({"paper_software_max_ms", software_max});
  return row;
}

/// Depth complexities of both objects within the volume of interest, and the stages.
Row pair_stages(int layers_a, int layers_b, double stage12, double stage3) {
  return {{"paper_layers_a", layers_a},
          {"paper_layers_b", layers_b},
          {"paper_stage12_ms", stage12},
          {"paper_stage3_ms", stage3}};
}

Row object_stages(int layers, double stage12, double stage3) {
  return {{"paper_layers_a", layers}, {"paper_stage12_ms", stage12}, {"paper_stage3_ms", stage3}};
}

std::vector<PublishedTable> wscg() {
  return {{"WSCG-1",
           "wscg",
           "WSCG 2004, table 1: a hand closes around a phone, 64 x 64; min - max over the sequence",
           {{"collision", generators(28.6, 9.5, 2.8, 37.3, 12.2, 4.1)},
            {"self-collision", generators(40.0, 12.3, 4.9, 54.2, 17.7, 7.1)},
            {"overall", generators(68.6, 21.8, 7.7, 91.5, 29.9, 11.2)}}},
          {"WSCG-2",
           "wscg",
           "WSCG 2004, table 2: particles in a dragon, 64 x 64",
           {{"high", generators(453.1, 225.2, 398.7)},
            {"medium", generators(160.6, 74.5, 105.2)},
            {"low", generators(50.3, 24.4, 37.1)}}},
          {"WSCG-3",
           "wscg",
           "WSCG 2004, table 3: a hat sways on a mouse's head, by resolution",
           {{"32 x 32", generators(24.0, 8.0, 2.1)},
            {"64 x 64", generators(26.0, 8.7, 3.0)},
            {"128 x 128", generators(51.1, 17.2, 5.9)}}}};
}

std::vector<PublishedTable> tr395() {
  return {{"TR-1",
           "tr395",
           "TR 395, table 1: intersection volume of a pair, 128 x 128",
           {{"knot/rabbit shallow", pair_stages(3, 1, 19, 1)},
            {"knot/rabbit deep", pair_stages(4, 6, 56, 1)},
            {"rabbit/reptile shallow", pair_stages(7, 5, 36, 1)},
            {"rabbit/reptile deep", pair_stages(4, 2, 48, 1)},
            {"reptile/santa shallow", pair_stages(1, 3, 25, 1)},
            {"reptile/santa deep", pair_stages(8, 6, 114, 1)}}},
          {"TR-2",
           "tr395",
           "TR 395, table 2: 100,000 points in an object, 128 x 128",
           {{"knot", object_stages(8, 11, 26)},
            {"rabbit", object_stages(8, 29, 27)},
            {"reptile", object_stages(12, 83, 28)},
            {"santa", object_stages(8, 79, 26)},
            {"dragon", object_stages(10, 307, 27)}}},
          {"TR-fig10",
           "tr395",
           "TR 395, figure 10: a complex intersection volume, 128 x 128",
           {{"knot/dragon", {{"paper_layers_a", 7}, {"paper_layers_b", 8}, {"paper_stage12_ms", 256.0}}}}},
          {"TR-fig12",
           "tr395",
           "TR 395, figure 12: 20,000 particles fall onto a deforming santa, 128 x 128",
           {{"whole loop", {{"paper_loop_fps", 29.0}}}}}};
}

/// Figures 13 and 14 are pictures and curves without numbers.
std::vector<PublishedTable> jang() {
  return {
      {"JANG-table1",
       "jang",
       "Jang, Jeong, Han, table 1: bodies of about 3,000 triangles in a cube",
       {{"50 objects", {{"paper_test_ms", 9.0}, {"paper_response_ms", 1.0}, {"paper_fps", 84.0}}},
        {"100 objects", {{"paper_test_ms", 20.0}, {"paper_response_ms", 2.0}, {"paper_fps", 40.0}}}}},
      {"JANG-fig13", "jang", "Jang, Jeong, Han, figure 13: two large meshes that intersect lightly and heavily", {}},
      {"JANG-fig14", "jang", "Jang, Jeong, Han, figure 14: the same, by triangles and resolution", {}},
      {"JANG-fig16",
       "jang",
       "Jang, Jeong, Han, figure 16: a ragdoll among rigid bodies",
       {{"ragdoll", {{"paper_test_ms", 10.0}, {"paper_physics_ms", 10.0}}}}}};
}

/// Figures 8 and 10 to 13 are curves; the text has some of their numbers.
std::vector<PublishedTable> gi() {
  return {{"GI-fig8", "gi", "GI-COLLIDE, figure 8: 2 to 256 bunnies in a cube, the time of 3000 frames", {}},
          {"GI-fig9",
           "gi",
           "GI-COLLIDE, figure 9: the same, the time of a collision",
           {{"GI-COLLIDE", {{"paper_least_ms", 0.29}, {"paper_most_ms", 0.94}}},
            {"I-COLLIDE", {{"paper_least_ms", 9.5}, {"paper_most_ms", 11.5}}}}},
          {"GI-fig10",
           "gi",
           "GI-COLLIDE, figure 10: the same spheres with and without pointers",
           {{"pointers", {{"paper_ratio", 1.19}}}}},
          {"GI-fig11", "gi", "GI-COLLIDE, figure 11: trees of oriented boxes", {{"RAPID", {{"paper_less_ms", 0.148}}}}},
          {"GI-fig12",
           "gi",
           "GI-COLLIDE, figure 12: every resolution against every",
           {{"1025 x 1025", {{"paper_ms", 4.0}}}, {"4097 x 4097", {{"paper_ms", 60.0}}}}},
          {"GI-fig13",
           "gi",
           "GI-COLLIDE, figure 13: the best answer within a budget",
           {{"60 frames a second", {{"paper_budget_ms", 15.0}}}}}};
}

std::vector<PublishedTable> make_tables() {
  std::vector<PublishedTable> all;
  for (const auto& of_paper : {wscg(), tr395(), jang(), gi()}) all.insert(all.end(), of_paper.begin(), of_paper.end());
  return all;
}

}  // namespace

const std::vector<Publication>& publications() {
  static const std::vector<Publication> all{{"wscg", "WSCG 2004", {"gl-ordered", "gl-unordered", "software-wscg"}},
                                            {"tr395", "TR 395", {"gl-tr395"}},
                                            {"jang", "Jang, Jeong, Han", {"gl-pairs"}},
                                            {"gi", "GI-COLLIDE", {}}};
  return all;
}

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> all = make_tables();
  return all;
}

const PublishedTable& published_table(std::string_view id) {
  const std::vector<PublishedTable>& all = published_tables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PublishedTable& t) { return t.id == id; });
  if (found == all.end()) throw Error(fmt::format("no paper has a table '{}'", id));
  return *found;
}

Row published_figures(std::string_view id, std::string_view row) {
  for (const PublishedRow& known : published_table(id).rows)
    if (known.name == row) return known.figures;
  return {};
}

}  // namespace lamella::bench
