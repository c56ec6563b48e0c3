#include "scene/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/origin.hpp"
#include "lamella/voi.hpp"
#include "scene/separation.hpp"

namespace lamella {
namespace {

void measure_gaps(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> placed, Workers& workers) {
  constexpr std::size_t kFew = 16;
  workers.for_chunks(candidates.size(), kFew, [&](std::size_t begin, std::size_t end, unsigned) {
    for (ScenePairCandidate& c : candidates.subspan(begin, end - begin))
      c.gap = gap_between(placed[c.slot_a], placed[c.slot_b]);
  });
}

}  // namespace

void CandidateFinder::reserve(std::size_t objects, std::size_t pairs) {
  for (auto* list : {&singles_, &parent_}) list->reserve(objects);
  cluster_box_.reserve(objects);
  places_.reserve(pairs);
  close_.reserve(pairs);
}

/// Each pair has an origin of its own, so that no other object changes its answer.
void CandidateFinder::place_pairs(SceneObjects& objects) {
  places_.clear();
  for (const BoxPair& p : close_) {
    const Vec3d origin = objects.pair_origin(p.first, p.second);
    places_.push_back({objects.ask(p.first, origin), objects.ask(p.second, origin)});
  }
}

/// Objects connected by close pairs share an origin: they may share a grid. With a cell size it is a multiple of that,
/// so that cells stay at multiples of their size in the world.
void CandidateFinder::place_clusters(SceneObjects& objects, float cell) {
  constexpr double kNear = 64;
  parent_.resize(objects.slot_count());
  std::iota(parent_.begin(), parent_.end(), 0u);
  const auto root = [&](std::uint32_t s) {
    while (parent_[s] != s) s = parent_[s] = parent_[parent_[s]];
    return s;
  };
  for (const BoxPair& p : close_) parent_[root(p.first)] = root(p.second);
  cluster_box_.assign(objects.slot_count(), {});
  for (const BoxPair& p : close_) {
    WideBox& box = cluster_box_[root(p.first)];
    box = unite(box, unite(objects.wide_box_of(p.first), objects.wide_box_of(p.second)));
  }
  places_.clear();
  for (const BoxPair& p : close_) {
    Vec3d origin = origin_for(cluster_box_[root(p.first)], kNear);
    for (int i = 0; i < 3 && cell > 0; ++i) origin[i] = std::round(origin[i] / cell) * cell;
    places_.push_back({objects.ask(p.first, origin), objects.ask(p.second, origin)});
  }
}

/// Leaves out pairs whose spheres or oriented boxes are apart, finds the exact boxes of the objects that are left, then
/// the pairs whose exact boxes share a volume.
void CandidateFinder::find(std::span<const BoxPair> near, SceneObjects& objects, const Settings& settings,
                           Workers& workers, std::vector<ScenePairCandidate>& candidates) {
  close_.clear();
  for (const BoxPair& p : near)
    if (objects.tested(p.first, p.second) && objects.bounds_meet(p.first, p.second)) close_.push_back(p);
  if (settings.each_pair)
    place_pairs(objects);
  else
    place_clusters(objects, settings.cell);
  singles_.clear();
  for (std::uint32_t s = 0; settings.each_alone && s < objects.slot_count(); ++s)
    if (objects.used(s)) singles_.push_back(objects.ask(s, objects.own_origin(s)));
  objects.place(workers);
  const auto placed = objects.placed();
  candidates.clear();
  for (const Places& p : places_) {
    if (!overlap(placed[p.a].box, placed[p.b].box)) continue;
    const bool swapped = placed[p.a].id > placed[p.b].id;
    const std::uint32_t a = swapped ? p.b : p.a, b = swapped ? p.a : p.b;
    const auto voi = choose_pair_voi(placed[a].box, placed[b].box, settings.axis);
    if (voi) candidates.push_back({a, b, pair_key(placed[a].id, placed[b].id), voi->axis});
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const ScenePairCandidate& x, const ScenePairCandidate& y) { return x.key < y.key; });
  if (settings.gaps) measure_gaps(candidates, placed, workers);
}

}  // namespace lamella
