#include "answer/json.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <version>

namespace lamella::answer {

double shortest(float value) {
#ifdef __cpp_lib_to_chars
  if (!std::isfinite(value)) return value;
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double result = value;
  std::from_chars(digits, end, result);
  return result;
#else
  return shortest_by_trial(value);
#endif
}

double shortest_by_trial(float value) {
  if (!std::isfinite(value)) return value;
  char digits[32];
  const auto is_value = [&](int places, double near) {
    std::snprintf(digits, sizeof digits, "%.*e", places, near);
    return std::strtof(digits, nullptr) == value;
  };
  // The next float above a power of two is farther away than that below: fewer digits may do if they are rounded up.
  const double above = value * (1 + 0x1p-25);
  int places = 0;
  while (!is_value(places, value) && !is_value(places, above)) ++places;
  // std::to_chars writes whole numbers out where that is no longer: these are the value itself.
  const double size = std::abs(static_cast<double>(value));
  const int scientific = places + (places > 0 ? 2 : 1) + 4;
  if (size >= 0x1p24 && std::floor(std::log10(size)) + 1 <= scientific) return value;
  return std::strtod(digits, nullptr);
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
