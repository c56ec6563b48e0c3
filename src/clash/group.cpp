#include <algorithm>
#include <map>
#include <tuple>

#include "lamella/clash.hpp"

namespace lamella {
namespace {

/// What pairs of one finding have in common. Sorts the worst first: what fails before what is allowed.
struct Key {
  bool allowed = false;
  int severity = 0;  ///< the lower the worse
  std::uint32_t mesh_a = 0, mesh_b = 0, rule = 0;
  bool undecided = false;

  [[nodiscard]] auto tied() const { return std::tie(allowed, severity, mesh_a, mesh_b, rule, undecided); }
  friend bool operator<(const Key& x, const Key& y) { return x.tied() < y.tied(); }
};

bool worse(const ClashPair& x, const ClashPair& y) {
  if (x.volume != y.volume) return x.volume > y.volume;
  if (x.distance != y.distance) return x.distance < y.distance;
  return std::tie(x.a, x.b) < std::tie(y.a, y.b);
}

void add(const ClashPair& pair, std::uint32_t index, ClashFinding& to) {
  to.pairs.push_back(index);
  to.total_volume += pair.volume;
  to.largest_volume = std::max(to.largest_volume, pair.volume);
  to.largest_depth = std::max(to.largest_depth, pair.depth);
  to.smallest_distance = std::min(to.smallest_distance, pair.distance);
}

/// Of the same severity: the larger volume, then the smaller gap.
bool comes_first(const ClashFinding& x, const ClashFinding& y) {
  if (x.allowed != y.allowed) return !x.allowed;
  if (x.kind != y.kind) return x.kind > y.kind;
  if (x.largest_volume != y.largest_volume) return x.largest_volume > y.largest_volume;
  if (x.smallest_distance != y.smallest_distance) return x.smallest_distance < y.smallest_distance;
  return false;
}

}  // namespace

std::vector<ClashFinding> group_clashes(std::span<const AssemblyPart> parts, std::span<const ClashPair> pairs) {
  std::map<Key, ClashFinding> groups;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const ClashPair& pair = pairs[i];
    const bool undecided = pair.verdict == Verdict::undecided;
    if (pair.kind == ClashClass::clear && !undecided) continue;
    const auto [mesh_a, mesh_b] = std::minmax(parts[pair.a].mesh, parts[pair.b].mesh);
    const Key key{pair.allowed, -static_cast<int>(pair.kind), mesh_a, mesh_b, pair.rule, undecided};
    ClashFinding& finding = groups[key];
    if (finding.pairs.empty()) {
      finding.mesh_a = mesh_a;
      finding.mesh_b = mesh_b;
      finding.kind = pair.kind;
      finding.rule = pair.rule;
      finding.allowed = pair.allowed;
      finding.undecided = undecided;
    }
    add(pair, i, finding);
  }
  std::vector<ClashFinding> findings;
  findings.reserve(groups.size());
  for (auto& [key, finding] : groups) {
    std::sort(finding.pairs.begin(), finding.pairs.end(),
              [&](std::uint32_t x, std::uint32_t y) { return worse(pairs[x], pairs[y]); });
    findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(), comes_first);
  return findings;
}

}  // namespace lamella
