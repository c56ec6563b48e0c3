#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/grow.hpp"
#include "engines/meetings.hpp"
#include "engines/pair_finder.hpp"

namespace lamella {

/// All meetings as one part; `for_all(visit)` calls visit(meeting) for all of them, each time in the same order.
template <class ForAll>
struct OnePart {
  const ForAll& for_all;

  [[nodiscard]] static constexpr std::size_t count() { return 1; }
  template <class Body>
  void run(const Body& body) const {
    body(std::size_t{0});
  }
  template <class Visit>
  void visit(std::size_t, const Visit& visit) const {
    for_all(visit);
  }
};
template <class ForAll>
OnePart(const ForAll&) -> OnePart<ForAll>;

/// Makes a group's spans and collision points from its meetings: sorted by candidate, and in the order of the meetings
/// within each. A counting sort in two passes, in each of which threads may take parts of the meetings.
///
/// Parts has count(), run(body), which calls body(part) for all parts, and visit(part, visit), which calls
/// visit(meeting) for the meetings of one part. The order of parts and meetings must be the same each time.
class MeetingSorter {
 public:
  template <class Parts>
  void make_spans(const Group& group, const Parts& parts, std::vector<PairSpan>& out) {
    const auto for_records = [&](std::size_t part, const auto& visit) { parts.visit(part, visit); };
    resize_with_margin(out, count(group, parts, for_records));
    parts.run([&](std::size_t part) {
      std::uint32_t* const cursor = cursors(group, part);
      for_records(part, [&](const Meeting& m) { out[cursor[m.candidate]++] = span_of(m); });
    });
  }

  template <class Parts>
  void make_points(const Group& group, const GroupQuery& query, const Parts& parts, std::vector<PairPoint>& out) {
    if (!query.points) {
      out.clear();
      return;
    }
    const auto for_wanted = [&](std::size_t part, const auto& visit) {
      parts.visit(part, [&](const Meeting& m) {
        if (group.candidates[m.candidate].points)
          for_points(m, query.threshold, [&](FaceCrossing a, FaceCrossing b) { visit(m, a, b); });
      });
    };
    const auto for_records = [&](std::size_t part, const auto& visit) {
      for_wanted(part, [&](const Meeting& m, FaceCrossing, FaceCrossing) { visit(m); });
    };
    resize_with_margin(out, count(group, parts, for_records));
    parts.run([&](std::size_t part) {
      std::uint32_t* const cursor = cursors(group, part);
      for_wanted(part, [&](const Meeting& m, FaceCrossing a, FaceCrossing b) {
        out[cursor[m.candidate]++] = {m.candidate, m.column, surface_of(a), surface_of(b)};
      });
    });
  }

 private:
  /// One for each candidate.
  std::uint32_t* cursors(const Group& group, std::size_t part) {
    return cursor_.data() + part * group.candidates.size();
  }

  /// Sets each part's cursors to where its records of each candidate begin. Returns the number of all records.
  template <class Parts, class ForRecords>
  std::size_t count(const Group& group, const Parts& parts, const ForRecords& for_records) {
    const std::size_t candidates = group.candidates.size();
    resize_with_margin(cursor_, candidates * parts.count());
    std::fill(cursor_.begin(), cursor_.end(), 0u);
    parts.run([&](std::size_t part) {
      std::uint32_t* const cursor = cursors(group, part);
      for_records(part, [&](const Meeting& m) { ++cursor[m.candidate]; });
    });
    std::uint32_t next = 0;
    for (std::size_t candidate = 0; candidate < candidates; ++candidate)
      for (std::size_t part = 0; part < parts.count(); ++part) {
        std::uint32_t& cursor = cursor_[part * candidates + candidate];
        const std::uint32_t records = cursor;
        cursor = next;
        next += records;
      }
    return next;
  }

  static Surface surface_of(FaceCrossing c) { return {c.crossing(), c.face()}; }
  static PairSpan span_of(const Meeting& m) {
    // Two ways to separate along the ray: a moves forward, its front past b's back, or backward, its back past b's
    // front.
    const bool forward = m.end_b.depth() - m.begin_a.depth() <= m.end_a.depth() - m.begin_b.depth();
    return {m.candidate,
            m.column,
            m.begin(),
            m.end(),
            surface_of(forward ? m.begin_a : m.end_a),
            surface_of(forward ? m.end_b : m.begin_b),
            (m.begin_a.depth() < m.begin_b.depth() ? m.begin_b : m.begin_a).face(),
            (m.end_b.depth() < m.end_a.depth() ? m.end_b : m.end_a).face(),
            m.end() - m.begin()};
  }

  std::vector<std::uint32_t> cursor_;
};

}  // namespace lamella
