#include "cli/gi/collide_method.hpp"

#include <fmt/core.h>

#include <array>
#include <string>
#include <utility>

#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

template <class Choice, std::size_t count>
using Names = std::array<std::pair<std::string_view, Choice>, count>;

constexpr Names<SphereFit, 4> kSpheres{{{"tight", SphereFit::tight},
                                        {"fast", SphereFit::fast},
                                        {"published", SphereFit::published},
                                        {"published-enclosing", SphereFit::published_enclosing}}};
constexpr Names<ImageWalk, 2> kWalks{{{"guided", ImageWalk::guided}, {"zigzag", ImageWalk::zigzag}}};

template <class Choice, std::size_t count>
std::string_view name_in(const Names<Choice, count>& names, Choice choice) {
  for (const auto& [name, value] : names) {
    if (value == choice) return name;
  }
  return names.front().first;
}

template <class Choice, std::size_t count>
Choice parse(std::string_view option, const Names<Choice, count>& names, const std::string& text) {
  std::string all;
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  throw Error(fmt::format("{}: there is no '{}'; type one of: {}", option, text, all));
}

}  // namespace

std::string_view name_of(SphereFit spheres) { return name_in(kSpheres, spheres); }
std::string_view name_of(ImageWalk walk) { return name_in(kWalks, walk); }

void add_method_options(const Command& command, CollideMethod& method, ImageCollideOptions& options) {
  command
      .add_text(
          "--spheres", "tight|fast|published|published-enclosing",
          [&](const std::string& text) { method.spheres = parse("--spheres", kSpheres, text); },
          "published: as GI-COLLIDE has them, which may miss a collision; published-enclosing: enlarged where they "
          "leave a vertex out")
      .default_str(std::string(name_of(method.spheres)));
  command
      .add_text(
          "--walk", "guided|zigzag", [&](const std::string& text) { options.walk = parse("--walk", kWalks, text); },
          "zigzag: as GI-COLLIDE has it, one sphere against four, strictly in turn")
      .default_str(std::string(name_of(options.walk)));
  command.add_flag("--compact", method.compact, "keep the files' 16-bit numbers: half the memory, the same triangles");
}

}  // namespace lamella::cli
