#include "core/broad_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lamella/error.hpp"

namespace lamella {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Overlaps nothing, and sorts behind everything.
constexpr Aabb kNowhere{{kInfinity, kInfinity, kInfinity}, {kInfinity, kInfinity, kInfinity}};

BoxPair make_pair(std::uint32_t a, std::uint32_t b) { return a < b ? BoxPair{a, b} : BoxPair{b, a}; }

}  // namespace

std::uint32_t BroadPhase::add(const Aabb& box) {
  std::uint32_t number = 0;
  if (free_.empty()) {
    number = static_cast<std::uint32_t>(boxes_.size());
    boxes_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  boxes_[number] = box.empty() ? kNowhere : box;
  for (auto& ends : ends_) {
    ends.push_back({kInfinity, number << 1});
    ends.push_back({kInfinity, number << 1 | 1u});
  }
  ++added_;
  return number;
}

void BroadPhase::remove(std::uint32_t number) {
  boxes_[number] = kNowhere;
  for (auto& ends : ends_) std::erase_if(ends, [&](const End& e) { return e.number() == number; });
  std::erase_if(pairs_, [&](const BoxPair& p) { return p.first == number || p.second == number; });
  free_.push_back(number);
}

void BroadPhase::move(std::uint32_t number, const Aabb& box) { boxes_[number] = box.empty() ? kNowhere : box; }

void BroadPhase::reserve(std::size_t boxes, std::size_t pairs) {
  boxes_.reserve(boxes);
  active_.reserve(boxes);
  for (auto& ends : ends_) ends.reserve(2 * boxes);
  for (auto* list : {&pairs_, &merged_}) list->reserve(pairs);
  begun_.reserve(3 * pairs);  // a pair may begin on each axis
}

void BroadPhase::refresh(int axis) {
  for (End& e : ends_[axis]) {
    const Aabb& box = boxes_[e.number()];
    e.at = e.low() ? box.min[axis] : box.max[axis];
  }
}

void BroadPhase::begin(std::uint32_t a, std::uint32_t b) {
  if (begun_.size() <= most_begun_) begun_.push_back(make_pair(a, b));
}

void BroadPhase::insertion_sort(int axis) {
  std::vector<End>& ends = ends_[axis];
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End e = ends[i];
    std::size_t j = i;
    for (; j > 0 && before(e, ends[j - 1]); --j) {
      const End& passed = ends[j - 1];
      if (e.low() && !passed.low() && e.number() != passed.number() &&
          overlap(boxes_[e.number()], boxes_[passed.number()]))
        begin(e.number(), passed.number());
      ends[j] = passed;
    }
    ends[j] = e;
  }
}

/// For many new boxes: sorts all ends again, and finds the pairs by one sweep along x.
void BroadPhase::sort_afresh(std::size_t most) {
  for (auto& ends : ends_) std::sort(ends.begin(), ends.end(), before);
  active_.clear();
  for (const End& e : ends_[0]) {
    if (e.low()) {
      for (const std::uint32_t other : active_)
        if (overlap(boxes_[e.number()], boxes_[other])) begin(e.number(), other);
      if (begun_.size() > most) return;
      active_.push_back(e.number());
    } else {
      std::erase(active_, e.number());
    }
  }
}

/// Joins the pairs that still overlap and the pairs that began to. A pair may have begun on several axes.
void BroadPhase::merge_begun() {
  std::erase_if(pairs_, [&](const BoxPair& p) { return !overlap(boxes_[p.first], boxes_[p.second]); });
  std::sort(begun_.begin(), begun_.end());
  merged_.clear();
  std::set_union(pairs_.begin(), pairs_.end(), begun_.begin(), begun_.end(), std::back_inserter(merged_));
  // The union keeps the copies of a pair that began on several axes: they are removed here.
  merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
  pairs_.swap(merged_);
}

void BroadPhase::refuse(std::size_t most) {
  pairs_.clear();
  afresh_ = true;
  throw Error(
      fmt::format("more than {} pairs of objects have boxes that share a volume: too many of them are in one place; "
                  "move them apart, leave some out, or raise the limit (max_pairs, on the command line "
                  "--max-pairs)",
                  most));
}

std::span<const BoxPair> BroadPhase::update(std::size_t most) {
  begun_.clear();
  most_begun_ = 6 * most;  // a pair may begin on each axis, and twice there if both boxes were flat or nowhere
  for (int axis = 0; axis < 3; ++axis) refresh(axis);
  if (afresh_ || (added_ > 16 && added_ * 4 > boxes_.size()))
    sort_afresh(most);
  else
    for (int axis = 0; axis < 3; ++axis) insertion_sort(axis);
  added_ = 0;
  if (begun_.size() > most_begun_) refuse(most);
  merge_begun();
  if (pairs_.size() > most) refuse(most);
  afresh_ = false;
  return pairs_;
}

}  // namespace lamella
