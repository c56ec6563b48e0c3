#include "scene/scene_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/lattice.hpp"
#include "engines/checks.hpp"
#include "lamella/error.hpp"
#include "scene/contacts.hpp"

namespace lamella {

void check(const Screen& s) {
  if (!(s.pixel_angle > 0 && std::isfinite(s.pixel_angle)))
    throw Error(fmt::format("the screen's pixel_angle is {} radians: it must be finite and above 0", s.pixel_angle));
  if (!std::isfinite(s.eye.x) || !std::isfinite(s.eye.y) || !std::isfinite(s.eye.z))
    throw Error("the screen's eye has a coordinate that is not finite");
}

void check(const SceneOptions& o) {
  check_resolution(o.resolution);
  check_resolution(o.max_resolution, "max_resolution");
  if (!(o.cell >= 0) || o.cell > kMaxCoordinate)
    throw Error(fmt::format("cell {} is not a length: it must be finite and 0 or more", o.cell));
  check_min_thickness(o.min_thickness);
  if (o.screen) check(*o.screen);
  if (!(o.threshold >= 0)) throw Error(fmt::format("threshold {} must be 0 or more", o.threshold));
  if (o.views != 1 && o.views != 3) throw Error(fmt::format("views is {}: it must be 1 or 3", o.views));
  if (o.self_overlap && o.engine == "gl-pairs")
    throw Error("gl-pairs cannot find self-overlaps: use the engine \"software\"");
  if (o.method == PairMethod::jang && o.engine != "gl-pairs")
    throw Error(fmt::format("the method jang runs on the engine gl-pairs alone, not on {}: use that engine", o.engine));
  if (o.tolerance && o.engine == "gl-pairs")
    throw Error(
        "gl-pairs gives no volumes, so that there is none to be within a tolerance: use the engine \"software\"");
  check_options({.tolerance = o.tolerance});
  if (o.max_contacts > kMaxContacts)
    throw Error(fmt::format("max_contacts is {}: at most {} are possible", o.max_contacts, kMaxContacts));
}

SceneOptions jang_options() {
  SceneOptions options;
  options.engine = "gl-pairs";
  options.views = 1;
  options.normals = Normals::neighbours;
  options.method = PairMethod::jang;
  return options;
}

}  // namespace lamella
