#include "answer/json.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <version>

namespace lamella::answer {

double shortest(float value) {
  if (!std::isfinite(value)) return value;
#ifdef __cpp_lib_to_chars
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double result = value;
  std::from_chars(digits, end, result);
  return result;
#else  // emscripten's library has no such functions for floats yet
  constexpr int kEnough = 8;  // digits behind the point that tell every float from its neighbours
  char digits[32];
  for (int places = 0; places <= kEnough; ++places) {
    std::snprintf(digits, sizeof digits, "%.*e", places, static_cast<double>(value));
    if (std::strtof(digits, nullptr) == value) break;
  }
  return std::strtod(digits, nullptr);
#endif
}

Json to_json(Vec3d p) { return Json::array({p.x, p.y, p.z}); }
Json to_json(Vec3 p) { return to_json(Vec3d{shortest(p.x), shortest(p.y), shortest(p.z)}); }
Json to_json(const Aabb& box, Vec3d origin) {
  if (box.empty()) return nullptr;
  if (origin != Vec3d{})
    return {{"min", to_json(to_double(box.min) + origin)}, {"max", to_json(to_double(box.max) + origin)}};
  return {{"min", to_json(box.min)}, {"max", to_json(box.max)}};
}

Json plain_json(Vec3d v) { return to_json(v + Vec3d{}); }

std::string to_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace lamella::answer
