#include "clash/pair_bytes.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lamella::clash {
namespace {

constexpr std::uint32_t kCertain = 1, kAllowed = 2, kToleranceMet = 4, kAllFlags = 7;

/// What comes first: numbers without gaps between them.
struct Start {
  std::uint32_t kind, verdict, flags, region_count, regions, doubts;
  std::array<double, 4> measures;
  std::array<Vec3d, 6> places;
};
static_assert(sizeof(Start) == 6 * 4 + 4 * 8 + 6 * 24);
static_assert(sizeof(ClashRegion) == 10 * 8);

struct StoredDoubt {
  std::uint32_t cause;
  std::int32_t mesh;
  std::uint64_t count;
};
static_assert(sizeof(StoredDoubt) == 16);

template <class T>
void append(std::string& to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// `from` must be long enough.
template <class T>
T take(std::string_view& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

bool is_sound(const Start& s) {
  return s.kind < kClashClasses && s.verdict <= static_cast<std::uint32_t>(Verdict::undecided) && s.flags <= kAllFlags;
}

bool is_sound(const StoredDoubt& d) {
  return d.cause <= static_cast<std::uint32_t>(Doubt::Cause::closed_holes) && d.mesh >= -1 && d.mesh <= 1;
}

}  // namespace

void append_bytes(std::string& to, const ClashPair& p) {
  append(to, Start{static_cast<std::uint32_t>(p.kind),
                   static_cast<std::uint32_t>(p.verdict),
                   (p.certain ? kCertain : 0) | (p.allowed ? kAllowed : 0) | (p.tolerance_met ? kToleranceMet : 0),
                   p.region_count,
                   static_cast<std::uint32_t>(p.regions.size()),
                   static_cast<std::uint32_t>(p.doubts.size()),
                   {p.volume, p.volume_error, p.distance, p.depth},
                   {p.on_a, p.on_b, p.way_out, p.centroid, p.min, p.max}});
  for (const ClashRegion& region : p.regions) append(to, region);
  for (const Doubt& doubt : p.doubts)
    append(to, StoredDoubt{static_cast<std::uint32_t>(doubt.cause), doubt.mesh, doubt.count});
}

std::optional<ClashPair> pair_of(std::string_view bytes) {
  if (bytes.size() < sizeof(Start) || bytes.size() > kMostPairBytes) return std::nullopt;
  const auto s = take<Start>(bytes);
  if (!is_sound(s) ||
      bytes.size() != std::uint64_t{s.regions} * sizeof(ClashRegion) + std::uint64_t{s.doubts} * sizeof(StoredDoubt))
    return std::nullopt;
  ClashPair p;
  p.kind = static_cast<ClashClass>(s.kind);
  p.verdict = static_cast<Verdict>(s.verdict);
  p.certain = (s.flags & kCertain) != 0;
  p.allowed = (s.flags & kAllowed) != 0;
  p.tolerance_met = (s.flags & kToleranceMet) != 0;
  p.region_count = s.region_count;
  p.volume = s.measures[0], p.volume_error = s.measures[1], p.distance = s.measures[2], p.depth = s.measures[3];
  p.on_a = s.places[0], p.on_b = s.places[1], p.way_out = s.places[2], p.centroid = s.places[3];
  p.min = s.places[4], p.max = s.places[5];
  for (std::uint32_t i = 0; i < s.regions; ++i) p.regions.push_back(take<ClashRegion>(bytes));
  for (std::uint32_t i = 0; i < s.doubts; ++i) {
    const auto d = take<StoredDoubt>(bytes);
    if (!is_sound(d)) return std::nullopt;
    p.doubts.push_back({static_cast<Doubt::Cause>(d.cause), d.mesh, d.count});
  }
  return p;
}

}  // namespace lamella::clash
