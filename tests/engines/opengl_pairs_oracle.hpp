#pragma once

// What gl-pairs is to find in groups made by hand: by brute force, from one LDI per object.

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/pairs.hpp"
#include "hand_made_group.hpp"
#include "lamella/engine.hpp"
#include "support/ldi_difference.hpp"
#include "support/opengl.hpp"

namespace lamella::test {

/// 2^-20 of the depth, and a cell.
inline GroupQuery usual_query(const Grid& grid) {
  return {.thickness = 0x1p-20f * grid.depth(), .threshold = static_cast<float>(grid.cell_u())};
}

struct Event {
  float depth = 0;
  bool front = false;
  std::uint32_t object = 0;
};

/// A pair of surfaces in one column, without faces: front or back of either.
struct FoundPair {
  Candidate objects;
  float front = 0, back = 0;
};
struct FoundPoint {
  Event a, b;  ///< a's object comes first
};

class Oracle {
 public:
  Oracle(Engine& engine, const HandMadeGroup& made, const GroupQuery& query) : group_(&made.group), query_(query) {
    for (const Mesh& m : made.meshes) engine.build(m, made.group.grid, ldis_.emplace_back());
    for (const Mesh& m : made.meshes) rounding_ = std::max(rounding_, rounding(m, made.group.grid));
  }

  [[nodiscard]] double rounding_of_depth() const { return rounding_; }

  /// All crossings of a column; at one depth backs first, then by object.
  [[nodiscard]] std::vector<Event> events(std::size_t column) const {
    std::vector<Event> all;
    for (std::uint32_t i = 0; i < ldis_.size(); ++i)
      for (const Crossing c : ldis_[i].column(column)) all.push_back({c.depth(), c.entry(), i});
    std::sort(all.begin(), all.end(), [](const Event& x, const Event& y) {
      return std::tuple(x.depth, x.front, x.object) < std::tuple(y.depth, y.front, y.object);
    });
    return all;
  }

  /// How much of a column two objects share, in stretches longer than the query's thickness.
  [[nodiscard]] double shared(std::size_t column, const Candidate& c) const {
    double sum = 0;
    float from = 0;
    int a = 0, b = 0;
    for (const Event& e : events(column)) {
      if (e.object != c.a && e.object != c.b) continue;
      if (a >= 1 && b >= 1 && e.depth - from > query_.thickness) sum += e.depth - from;
      (e.object == c.a ? a : b) += e.front ? 1 : -1;
      from = e.depth;
    }
    return sum;
  }

  /// What the method records: each back with the front layers of other objects since its own object's last one, where a
  /// layer is the first of successive fronts of one object.
  [[nodiscard]] std::vector<FoundPair> pairs(const std::vector<Event>& events) const {
    std::vector<FoundPair> found;
    std::vector<Event> layers;
    for (const Event& e : events) {
      if (e.front) {
        if (layers.empty() || layers.back().object != e.object) layers.push_back(e);
        continue;
      }
      const auto own =
          std::find_if(layers.rbegin(), layers.rend(), [&](const Event& f) { return f.object == e.object; });
      if (own == layers.rend()) continue;
      for (auto f = layers.rbegin(); f != own; ++f)
        if (e.depth - f->depth > query_.thickness)
          found.push_back({{std::min(f->object, e.object), std::max(f->object, e.object)}, f->depth, e.depth});
    }
    return found;
  }

  /// Two surfaces of different objects no further apart than the threshold, one of which is of a recorded pair.
  [[nodiscard]] std::vector<FoundPoint> points(const std::vector<Event>& events) const {
    std::set<std::pair<float, bool>> recorded;
    for (const FoundPair& p : pairs(events)) {
      recorded.emplace(p.front, true);
      recorded.emplace(p.back, false);
    }
    const auto is_recorded = [&](const Event& e) { return recorded.count({e.depth, e.front}) != 0; };
    std::vector<FoundPoint> found;
    for (const Event& x : events)
      for (const Event& y : events)
        if (x.object < y.object && std::abs(x.depth - y.depth) <= query_.threshold &&
            (is_recorded(x) || is_recorded(y)))
          found.push_back({x, y});
    return found;
  }

  /// Whether rounding decides what is found there: two surfaces of different objects at nearly one depth, or two that
  /// are nearly a threshold apart.
  [[nodiscard]] bool undecided(const std::vector<Event>& events, double roundings) const {
    const double margin = roundings * rounding_;
    for (const Event& x : events)
      for (const Event& y : events) {
        if (&x >= &y || x.object == y.object) continue;
        const double apart = std::abs(static_cast<double>(x.depth) - y.depth);
        if (apart <= margin + query_.thickness || std::abs(apart - query_.threshold) <= margin) return true;
      }
    return false;
  }

 private:
  const Group* group_;
  GroupQuery query_;
  std::vector<Ldi> ldis_;
  double rounding_ = 0;
};

/// Cells from a column's sample to the nearest projected edge of any object.
inline double distance_to_edges(const HandMadeGroup& made, std::size_t column) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Mesh& m : made.meshes) nearest = std::min(nearest, distance_to_edge(m, made.group.grid, column));
  return nearest;
}

/// The finder, and its answers. Skips where there is no OpenGL.
class OpenGlPairs : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = opengl::unavailable(); !why.empty())
      GTEST_SKIP() << "gl-pairs is not available: " << why;
    finder_ = make({});
    software_ = make_engine({.engine = "software", .threads = 1});
  }

  static std::unique_ptr<opengl::GlPairFinder> make(const opengl::PairLimits& limits, EngineOptions options = {}) {
    options.threads = 2;
    return std::make_unique<opengl::GlPairFinder>(options, limits);
  }

  GroupAnswer find(const HandMadeGroup& made) { return find(*finder_, made, usual_query(made.group.grid)); }
  static GroupAnswer find(PairFinder& finder, const HandMadeGroup& made, const GroupQuery& query) {
    GroupAnswer answer;
    finder.find(made.group, query, answer);
    return answer;
  }

  std::unique_ptr<opengl::GlPairFinder> finder_;
  std::unique_ptr<Engine> software_;
};

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

inline Pairs pairs_of(const HandMadeGroup& made, const GroupAnswer& answer) {
  Pairs pairs;
  for (const PairSpan& s : answer.spans) {
    const Candidate& c = made.group.candidates.at(s.candidate);
    pairs.emplace(c.a, c.b);
  }
  return pairs;
}

}  // namespace lamella::test
