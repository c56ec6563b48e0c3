#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/peers/works.hpp"

namespace lamella::bench::peers {

/// Indices of two bodies, the smaller first.
using BodyPair = std::pair<std::uint32_t, std::uint32_t>;

/// What a method found. Only what it gives is set.
struct Answer {
  std::vector<std::uint8_t> inside{};           ///< a flag for each point
  std::optional<bool> meets{};                  ///< yes or no
  std::optional<double> volume{};               ///< shared, or covered more than once
  std::optional<std::size_t> triangle_pairs{};  ///< that intersect
  std::optional<std::size_t> contact_points{};
  std::optional<std::vector<BodyPair>> bodies{};  ///< that meet, ascending
  std::vector<BodyPair> nested{};  ///< an exact method's: bodies wholly inside another, which are not among `bodies`
};

/// One library's way to do one work.
struct Method {
  std::string library;  ///< "Embree 3.13.5"
  std::string call;     ///< "rtcCollide, refit"
  std::string gives;    ///< "pairs of triangles"
  /// Does the work for one of the poses, from vertices in the caller's arrays to an answer. This is what is timed.
  std::function<void(std::size_t pose)> run;
  /// Of the last run; not timed.
  std::function<Answer()> answer;
  bool ours = false;
  bool exact = false;   ///< others' answers are held against this one's
  bool detail = false;  ///< in tables but not in the chart
  /// An exact method's: how far a point is from the surface that it was last asked about.
  std::function<double(Vec3)> distance{};
  std::string chart_call{};  ///< for the chart, where `call` says more than fits; empty: `call`
};

using Methods = std::vector<Method>;

/// What a library takes part in. It does nothing in a work whose function is empty. A work outlives the methods that
/// are made for it.
struct Peer {
  std::string name;  ///< with its version
  std::function<Methods(const PointsWork&)> points{};
  std::function<Methods(const PairWork&)> pair{};
  std::function<Methods(const SelfWork&)> self{};
  std::function<Methods(const BodiesWork&)> bodies{};
  std::function<Methods(const RigidWork&)> rigid{};
};

/// The libraries that a program was built with, and those that were not found.
struct Libraries {
  std::vector<Peer> found;
  std::vector<std::string> missing;
};

/// Lamella: the engine `software` on one thread.
[[nodiscard]] Peer our_peer();

}  // namespace lamella::bench::peers
