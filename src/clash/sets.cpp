#include "clash/sets.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace lamella {
namespace clash {
namespace {

constexpr std::string_view kGroup = "group:", kLayer = "layer:";

}  // namespace

bool in_set(std::string_view set, const AssemblyPart& part) {
  if (set.starts_with(kGroup)) return matches(set.substr(kGroup.size()), part.group);
  if (set.starts_with(kLayer)) return matches(set.substr(kLayer.size()), part.layer);
  return matches(set, part.name);
}

void SetPatterns::add(std::string_view set, std::uint32_t number) {
  if (set.starts_with(kGroup))
    groups.add(set.substr(kGroup.size()), number);
  else if (set.starts_with(kLayer))
    layers.add(set.substr(kLayer.size()), number);
  else
    names.add(set, number);
}

}  // namespace clash

bool is_in_clash_set(std::string_view set, const AssemblyPart& part) { return clash::in_set(set, part); }

struct ClashSets::State {
  std::vector<std::string> texts;
  clash::SetPatterns sets;
  std::vector<std::uint32_t> some;
};

ClashSets::ClashSets(std::vector<std::string> sets) : state_(std::make_unique<State>()) {
  state_->texts = std::move(sets);
  for (std::uint32_t i = 0; i < state_->texts.size(); ++i) state_->sets.add(state_->texts[i], i);
}
ClashSets::~ClashSets() = default;
ClashSets::ClashSets(ClashSets&&) noexcept = default;
ClashSets& ClashSets::operator=(ClashSets&&) noexcept = default;

void ClashSets::find(const AssemblyPart& part, std::vector<std::uint32_t>& numbers) {
  State& s = *state_;
  s.sets.names.find(part.name, numbers);
  const auto add = [&](const clash::Patterns& patterns, const std::string& text) {
    if (patterns.empty()) return;
    patterns.find(text, s.some);
    numbers.insert(numbers.end(), s.some.begin(), s.some.end());
  };
  add(s.sets.groups, part.group);
  add(s.sets.layers, part.layer);
  std::sort(numbers.begin(), numbers.end());
}

}  // namespace lamella
