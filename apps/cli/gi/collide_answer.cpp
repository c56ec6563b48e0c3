#include "cli/gi/collide_answer.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/gi/collide_method.hpp"
#include "cli/gi/common.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Whether it was the tests, and not the time, that ended the search early.
bool out_of_tests(const ImageAnswer& answer) {
  const std::uint64_t tests = answer.found.sphere_test_count + answer.found.triangle_test_count;
  return answer.asked.max_tests != 0 && (tests >= answer.asked.max_tests || answer.asked.budget.count() == 0);
}

/// Why the search ended early.
std::string limit_text(const ImageAnswer& answer) { return out_of_tests(answer) ? "tests" : "time"; }

std::string level_text(const ImageAnswer& answer) {
  const ImageCollision& found = answer.found;
  if (found.level >= 0) return fmt::format("{}, the deepest at which spheres overlap", found.level);
  if (found.verdict != Verdict::undecided || found.complete) return "none: not even the outermost spheres overlap";
  return fmt::format("none: the {} ran out before {}", limit_text(answer),
                     found.sphere_test_count == 0 ? "any sphere was looked at" : "spheres that overlap were found");
}

std::string colliding_text(const ImageAnswer& answer) {
  const bool spheres = answer.asked.max_level >= 0;
  switch (answer.found.verdict) {
    case Verdict::clear:
      return spheres ? "no: no two spheres overlap" : "no";
    case Verdict::colliding:
      return spheres ? "yes, as far as spheres tell" : "yes";
    case Verdict::undecided:
      break;
  }
  if (answer.found.complete) {
    return "undecided: none was found, but published spheres leave out a part of a surface (--spheres "
           "published-enclosing is sure)";
  }
  return fmt::format("undecided: the {} ran out before a collision was found or ruled out", limit_text(answer));
}

std::string triangle_text(std::uint32_t image, std::uint32_t triangle, const std::string& file) {
  const std::string of = image == 0 ? "" : fmt::format(" of image {}", image);
  return fmt::format("triangle {}{} of {}", grouped(triangle), of, file_name(file));
}

void print_pairs(const ImageAnswer& answer) {
  const ImageCollision& found = answer.found;
  const std::string missed = found.enclosing ? "" : "; published spheres may have missed some";
  const std::string cut =
      missed + (found.complete ? "" : fmt::format("; the {} ran out, there may be more", limit_text(answer)));
  if (answer.asked.max_level >= 0) {
    if (answer.asked.all) {
      print_line("pairs", fmt::format("{} of spheres that overlap at level {}{}", grouped(found.sphere_pair_count),
                                      answer.asked.max_level, cut));
    }
    return;
  }
  if (found.pairs.empty()) return;
  const TrianglePair& first = found.pairs.front();
  if (answer.asked.all) print_line("pairs", fmt::format("{} of triangles{}", grouped(found.pairs.size()), cut));
  print_line(answer.asked.all ? "first" : "pair",
             fmt::format("{}, {}", triangle_text(first.image_a, first.triangle_a, answer.a),
                         triangle_text(first.image_b, first.triangle_b, answer.b)));
}

void print_place(const ImageAnswer& answer) {
  const ImageCollision& found = answer.found;
  if (!std::isfinite(found.within)) return;
  const bool touching = found.within == 0;
  print_line("place", fmt::format("{}{}", to_text(found.position),
                                  touching ? ""
                                           : fmt::format("; the surfaces come within {} of each other there",
                                                         to_text(found.within))));
}

}  // namespace

std::uint64_t bytes_of(BodyRef body) {
  std::uint64_t bytes = 0;
  if (body.floats() != nullptr) {
    for (const GeometryImage& image : body.floats()->images) bytes += image.positions.size() * sizeof(Vec3);
    for (const SpherePyramid& pyramid : body.floats()->pyramids) bytes += pyramid.pixels().size_bytes();
  } else {
    for (const CompactImage& image : body.codes()->images) bytes += image.positions.size() * sizeof(std::uint16_t);
    for (const CompactPyramid& pyramid : body.codes()->pyramids) bytes += pyramid.pixels().size_bytes();
  }
  return bytes;
}

void print_answer_json(const ImageAnswer& answer) {
  const ImageCollision& found = answer.found;
  const bool undecided = found.verdict == Verdict::undecided;
  Json out{{"query", "gi collide"}};
  out["colliding"] = undecided ? Json(nullptr) : Json(found.colliding());
  out["verdict"] = to_string(found.verdict);
  out["complete"] = found.complete;
  out["pairs"] = Json::array();
  for (const TrianglePair& p : found.pairs) {
    out["pairs"].push_back({p.image_a, p.triangle_a, p.image_b, p.triangle_b});
  }
  out["level"] = found.level;
  out["place"] = std::isfinite(found.within) ? to_json(found.position) : Json(nullptr);
  out["within"] = finite_json(found.within);
  out["tests"] = {{"spheres", found.sphere_test_count}, {"triangles", found.triangle_test_count}};
  out["ms"] = {{"read", answer.read_ms},
               {"pyramid", answer.pyramid_ms},
               {"collide", answer.ms},
               {"total", answer.read_ms + answer.pyramid_ms + answer.ms}};
  if (answer.asked.max_level >= 0) {
    out["max_level"] = answer.asked.max_level;
    out["sphere_pairs"] = found.sphere_pair_count;
  }
  out["spheres"] = name_of(answer.spheres);
  out["walk"] = name_of(answer.asked.walk);
  out["enclosing"] = found.enclosing;
  out["body_bytes"] = answer.body_bytes;
  out["files"] = {answer.a, answer.b};
  print_json(out);
}

void print_answer(const ImageAnswer& answer) {
  const ImageCollision& found = answer.found;
  print_line("colliding", colliding_text(answer));
  print_pairs(answer);
  print_place(answer);
  print_line("level", level_text(answer));
  print_line("tests", fmt::format("{} of spheres, {} of triangles", grouped(found.sphere_test_count),
                                  grouped(found.triangle_test_count)));
  print_line("memory", fmt::format("{} for positions and spheres", bytes_text(answer.body_bytes)));
  print_line("time", fmt::format("{:.3f} ms (loading apart: {:.2f}, spheres {:.2f})", answer.ms, answer.read_ms,
                                 answer.pyramid_ms));
}

std::string pairs_csv(const std::vector<TrianglePair>& pairs) {
  std::string text = "image_a,triangle_a,image_b,triangle_b\n";
  for (const TrianglePair& p : pairs) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", p.image_a, p.triangle_a, p.image_b, p.triangle_b);
  }
  return text;
}

}  // namespace lamella::cli
