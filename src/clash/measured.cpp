#include "clash/measured.hpp"

#include <utility>

namespace lamella::clash {
namespace {

void scale_volumes(std::vector<ClashRegion>& regions, double sampled, double volume) {
  if (!(sampled > 0)) return;
  for (ClashRegion& r : regions) r.volume *= volume / sampled;
}

}  // namespace

void take_sums(const Overlap& from, ClashPair& to) {
  to.volume = from.volume;
  to.volume_error = from.volume_error;
  to.centroid = from.centroid;
  to.min = to_double(from.bounds.min) + from.origin;
  to.max = to_double(from.bounds.max) + from.origin;
}

void take_regions(Regions regions, double sampled, ClashPair& pair) {
  if (regions.count == 0) regions = {{{pair.volume, pair.centroid, pair.min, pair.max}}, 1};
  pair.region_count = regions.count;
  pair.regions = std::move(regions.largest);
  scale_volumes(pair.regions, sampled, pair.volume);
}

}  // namespace lamella::clash
