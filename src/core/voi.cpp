#include "lamella/voi.hpp"

#include "core/voi_choice.hpp"

namespace lamella {

std::optional<PairVoi> choose_pair_voi(const Aabb& a, const Aabb& b, std::optional<Axis> forced) {
  const VoiChoice choice = choose_voi(a, b, forced ? static_cast<int>(*forced) : -1);
  return choice.exists ? std::optional(choice.voi) : std::nullopt;
}

std::optional<PairVoi> choose_shared_voi(const Aabb& a, const Aabb& b, std::optional<Axis> forced) {
  const VoiChoice choice = choose_shared(a, b, forced ? static_cast<int>(*forced) : -1);
  return choice.exists ? std::optional(choice.voi) : std::nullopt;
}

std::optional<Axis> choose_axis(const Aabb& box) {
  const int axis = shallowest_axis(box);
  return axis >= 0 ? std::optional(static_cast<Axis>(axis)) : std::nullopt;
}

}  // namespace lamella
