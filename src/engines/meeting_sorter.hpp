#pragma once

#include <algorithm>
#include <vector>

#include "core/grow.hpp"
#include "engines/meetings.hpp"
#include "engines/pair_finder.hpp"

namespace lamella {

/// Makes a group's spans and collision points from its meetings: sorted by candidate, and in the order of the meetings
/// within each. A counting sort in two passes; `for_all(visit)` calls visit(meeting) for all meetings, each time in the
/// same order.
class MeetingSorter {
 public:
  template <class ForAll>
  void make_spans(const Group& group, const ForAll& for_all, std::vector<PairSpan>& out) {
    count(group, [&](const auto& add) { for_all([&](const Meeting& m) { add(m); }); });
    resize_with_margin(out, cursor_.back());
    for_all([&](const Meeting& m) { out[cursor_[m.candidate]++] = span_of(m); });
  }

  template <class ForAll>
  void make_points(const Group& group, const GroupQuery& query, const ForAll& for_all, std::vector<PairPoint>& out) {
    if (!query.points) {
      out.clear();
      return;
    }
    const auto for_wanted = [&](const auto& visit) {
      for_all([&](const Meeting& m) {
        if (group.candidates[m.candidate].points)
          for_points(m, query.threshold, [&](FaceCrossing a, FaceCrossing b) { visit(m, a, b); });
      });
    };
    count(group, [&](const auto& add) { for_wanted([&](const Meeting& m, FaceCrossing, FaceCrossing) { add(m); }); });
    resize_with_margin(out, cursor_.back());
    for_wanted([&](const Meeting& m, FaceCrossing a, FaceCrossing b) {
      out[cursor_[m.candidate]++] = {m.candidate, m.column, surface_of(a), surface_of(b)};
    });
  }

 private:
  /// Sets the cursors to where the records of each candidate begin.
  template <class ForRecords>
  void count(const Group& group, const ForRecords& for_records) {
    resize_with_margin(cursor_, group.candidates.size() + 1);
    std::fill(cursor_.begin(), cursor_.end(), 0u);
    for_records([&](const Meeting& m) { ++cursor_[m.candidate + 1]; });
    for (std::size_t i = 1; i < cursor_.size(); ++i) cursor_[i] += cursor_[i - 1];
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
            surface_of(forward ? m.end_b : m.begin_b)};
  }

  std::vector<std::uint32_t> cursor_;
};

}  // namespace lamella
