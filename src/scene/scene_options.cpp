#include "scene/scene_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/lattice.hpp"
#include "engines/cuda/engines.hpp"
#include "engines/opengl/engines.hpp"
#include "engines/software/pairs.hpp"
#include "lamella/error.hpp"
#include "scene/contacts.hpp"

namespace lamella {

void check(const Screen& s) {
  if (!(s.pixel_angle > 0 && std::isfinite(s.pixel_angle)))
    throw Error(fmt::format("Screen::pixel_angle is {} radians: it must be finite and above 0", s.pixel_angle));
  if (!std::isfinite(s.eye.x) || !std::isfinite(s.eye.y) || !std::isfinite(s.eye.z))
    throw Error("Screen::eye has a coordinate that is not finite");
}

void check(const SceneOptions& o) {
  if (o.resolution < 1 || o.resolution > kMaxResolution)
    throw Error(fmt::format("resolution {} is outside 1 to {}", o.resolution, kMaxResolution));
  if (o.max_resolution < 1 || o.max_resolution > kMaxResolution)
    throw Error(fmt::format("max_resolution {} is outside 1 to {}", o.max_resolution, kMaxResolution));
  if (!(o.cell >= 0) || o.cell > kMaxCoordinate)
    throw Error(fmt::format("cell {} is not a length: it must be finite and 0 or more", o.cell));
  if (!(o.min_thickness >= 0)) throw Error(fmt::format("min_thickness {} must be 0 or more", o.min_thickness));
  if (o.screen) check(*o.screen);
  if (!(o.threshold >= 0)) throw Error(fmt::format("threshold {} must be 0 or more", o.threshold));
  if (o.views != 1 && o.views != 3) throw Error(fmt::format("views is {}: it must be 1 or 3", o.views));
  if (o.self_overlap && o.engine == "gl-pairs")
    throw Error("gl-pairs cannot find self-overlaps: use the engine \"software\"");
  if (o.max_contacts > kMaxContacts)
    throw Error(fmt::format("max_contacts is {}: at most {} are possible", o.max_contacts, kMaxContacts));
}

std::unique_ptr<PairFinder> make_finder(const SceneOptions& options, unsigned threads) {
  if (options.engine == "software" || options.engine == "automatic")
    return make_software_pairs(threads, options.max_crossings);
  const auto made_where_available = [&](const std::string& why, auto make) {
    if (why.empty()) return make(options);
    throw Error(fmt::format("engine {} is not available here: {}", options.engine, why), Error::Kind::device);
  };
  if (options.engine == "cuda") return made_where_available(cuda::unavailable(), cuda::make_pair_finder);
  if (options.engine == "gl-pairs") return made_where_available(opengl::unavailable(), opengl::make_pair_finder);
  throw Error(fmt::format("there is no engine \"{}\" for scenes; use one of: automatic, software, cuda, gl-pairs",
                          options.engine));
}

}  // namespace lamella
