// Inconsistent pairs on the CPU: Jang, Jeong, Han, "GPU-based Image-space Approach to Collision Detection among Closed
// Objects", sections 3 to 5. All objects of a group are sampled into one layered depth image whose crossings carry
// their face, which gives the object.
//
// Where it departs from the paper:
// - Every column is whole. A back face is not compared only with the nearest front face: each object's stretches
//   inside are built from its own crossings, and two objects collide where stretches overlap. That finds what the paper
//   finds, and also the pairs that a third object's front face hides; a surface that overlaps itself does not confuse
//   it.
// - Stretches sum to volumes.
// - An object is sampled only where the box of one of its candidate pairs is.

#include "engines/software/engines.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/stopwatch.hpp"
#include "engines/meeting_sorter.hpp"
#include "engines/software/tile_runs.hpp"
#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"

namespace lamella::software {
namespace {

/// A stretch of a ray inside one object.
struct Stretch {
  std::uint32_t object = 0;
  FaceCrossing begin, end;
  std::uint32_t next = kNone;  ///< see for_meetings()
};

/// The state of one object on the current ray.
struct ObjectState : RayState {
  bool seen = false, inside_out = false;
};

/// The length of an object's overlap with itself on one ray.
struct SelfLength {
  std::uint32_t object;
  double length;
};

/// What a worker counted, in any order of columns, and its scratch.
struct Sweep {
  std::vector<ObjectState> states;  ///< one for each object of the group; all reset between columns
  std::vector<std::uint32_t> seen;
  std::vector<Stretch> stretches;
  RecordList<FaceCrossing> crossings;  ///< of one row
  std::vector<std::uint32_t> lengths;  ///< of its columns

  std::vector<std::uint32_t> open;        ///< rays on which each object does not close
  std::vector<std::uint32_t> inside_out;  ///< rays on which it closes, and is inside out
  ColumnCounts counts;

  void start(std::size_t objects, std::size_t columns) {
    if (states.size() < objects) states.resize(objects);
    if (lengths.size() < columns) lengths.resize(columns);
    open.assign(objects, 0);
    inside_out.assign(objects, 0);
    counts = {};
  }
};

/// A column as is_consistent() expects it.
struct GroupColumn {
  const Group& group;
  std::span<const FaceCrossing> crossings;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(crossings.size()); }
  [[nodiscard]] FaceCrossing crossing(std::uint32_t i) const { return crossings[i]; }
  [[nodiscard]] std::uint32_t object(std::uint32_t i) const { return group.object_of(crossings[i].face()); }
};

template <class Record, class Visit>
void for_all(const RecordList<Record>& list, const Visit& visit) {
  for (std::size_t i = 0; i < list.size(); ++i) visit(list.data()[i]);
}

/// Meetings in parts for threads, as MeetingSorter expects them.
struct MeetingParts {
  const RecordList<Meeting>& list;
  const Group& group;
  Workers& workers;

  /// One where there are few, or so many candidates that counting them in each part costs more.
  [[nodiscard]] std::size_t count() const {
    const bool few = list.size() < 8192 || list.size() < 8 * group.candidates.size() * workers.count();
    return few ? 1 : workers.count();
  }
  template <class Body>
  void run(const Body& body) const {
    workers.for_chunks(
        count(), 1, [&](std::size_t part, std::size_t, unsigned) { body(part); }, 1);
  }
  template <class Visit>
  void visit(std::size_t part, const Visit& visit) const {
    const std::size_t size = (list.size() + count() - 1) / count();
    const Meeting* const end = list.data() + std::min(list.size(), (part + 1) * size);
    for (const Meeting* m = list.data() + std::min(list.size(), part * size); m < end; ++m) visit(*m);
  }
};

/// Stretches as for_meetings() expects them.
struct StretchList {
  std::vector<Stretch>& list;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(list.size()); }
  [[nodiscard]] static bool is_stretch(std::uint32_t) { return true; }
  [[nodiscard]] std::uint32_t object(std::uint32_t k) const { return list[k].object; }
  [[nodiscard]] FaceCrossing begin(std::uint32_t k) const { return list[k].begin; }
  [[nodiscard]] FaceCrossing end(std::uint32_t k) const { return list[k].end; }
  [[nodiscard]] std::uint32_t& next(std::uint32_t k) const { return list[k].next; }
};

class SoftwarePairs final : public PairFinder, private TileConsumer {
 public:
  SoftwarePairs(unsigned threads, std::uint64_t max_crossings)
      : sampler_(threads, max_crossings, true), sweeps_(sampler_.workers().count()) {}

  void find(const Group& group, const GroupQuery& query, GroupAnswer& out) override;
  [[nodiscard]] bool on_cpu() const override { return true; }
  [[nodiscard]] bool gives_volumes() const override { return true; }

 private:
  void start(const Tiling& tiling) override;
  void begin_rows(std::uint32_t first, std::uint32_t end) override;
  void take(std::size_t tile, std::span<Layers> sides, unsigned worker) override;
  void finish_rows(std::uint32_t first, std::uint32_t end) override;

  void sample(const Group& group, GroupAnswer& out);
  void sweep_column(std::span<const FaceCrossing> crossings, std::uint32_t column, unsigned worker);
  bool collect_stretches(std::span<const FaceCrossing> crossings, unsigned worker);
  void gather(const Group& group, GroupAnswer& out);

  TileSampler sampler_;
  std::vector<SampledMesh> meshes_;
  const Group* group_ = nullptr;
  const GroupQuery* query_ = nullptr;
  Tiling tiling_;
  std::vector<Sweep> sweeps_;  ///< one per worker
  TileRuns<Meeting> meetings_;
  TileRuns<SelfLength> self_lengths_;
  RecordList<Meeting> ordered_;  ///< all meetings, by column
  RecordList<SelfLength> ordered_lengths_;
  MeetingSorter sorter_;
};

void SoftwarePairs::sample(const Group& group, GroupAnswer& out) {
  meshes_.clear();
  for (const ObjectWindow& w : group.windows) {
    const GroupObject& o = group.objects[w.object];
    meshes_.push_back({o.mesh, w.window, o.first_face});
  }
  sampler_.sample(meshes_, group.grid, *this);
  out.objects.assign(group.objects.size(), {});
  for (std::size_t i = 0; i < group.windows.size(); ++i) {
    std::uint32_t& skipped = out.objects[group.windows[i].object].skipped_triangles;
    skipped = std::max(skipped, sampler_.skipped(i));
  }
}

void SoftwarePairs::start(const Tiling& tiling) {
  tiling_ = tiling;
  const unsigned workers = sampler_.workers().count();
  meetings_.start(tiling, workers);
  self_lengths_.start(tiling, workers);
  ordered_.clear();
  ordered_lengths_.clear();
  for (Sweep& s : sweeps_) s.start(group_->objects.size(), tiling.width());
}

void SoftwarePairs::begin_rows(std::uint32_t first, std::uint32_t end) {
  meetings_.begin_rows(first, end);
  self_lengths_.begin_rows(first, end);
}

void SoftwarePairs::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  Layers& layers = sides[0];
  Sweep& s = sweeps_[worker];
  meetings_.begin_tile(tile, worker);
  self_lengths_.begin_tile(tile, worker);
  for (std::uint32_t row = 0; row < layers.height(); ++row) {
    s.crossings.clear();
    sort_row(layers, row, s.crossings, s.lengths.data());
    const std::uint32_t first = (layers.tile().first_v + row) * tiling_.columns + layers.tile().first_u;
    const FaceCrossing* at = s.crossings.data();
    for (std::uint32_t u = 0; u < layers.width(); ++u) {
      if (s.lengths[u] == 0) continue;
      sweep_column({at, s.lengths[u]}, first + u, worker);
      at += s.lengths[u];
    }
    meetings_.end_row(tile, row);
    self_lengths_.end_row(tile, row);
  }
}

/// Puts what the tiles found into the order of columns.
void SoftwarePairs::finish_rows(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t last_row = std::min(end << tiling_.shift_v, tiling_.rows);
  const auto append = [](auto& to) {
    return [&to](const auto& run) {
      std::copy(run.begin(), run.end(), to.room(run.size()));
      to.added(run.size());
    };
  };
  for (std::uint32_t row = first << tiling_.shift_v; row < last_row; ++row) {
    meetings_.for_row(row, append(ordered_));
    self_lengths_.for_row(row, append(ordered_lengths_));
  }
}

/// Finds the stretches inside each object, ascending by where they begin; false when fewer than two objects are left.
/// An object's stretches that meet at one depth become one. Objects that do not close are left out.
bool SoftwarePairs::collect_stretches(std::span<const FaceCrossing> crossings, unsigned worker) {
  const Group& group = *group_;
  const float thickness = query_->thickness;
  Sweep& s = sweeps_[worker];
  if (is_consistent(GroupColumn{group, crossings})) return false;
  s.seen.clear();
  s.stretches.clear();
  bool inside_out = false, open = false;
  for (const FaceCrossing c : crossings) {
    const std::uint32_t object = group.object_of(c.face());
    ObjectState& state = s.states[object];
    if (!state.seen) {
      state = {};
      state.seen = true;
      s.seen.push_back(object);
    }
    const RayState::Passage passage = state.pass(c, thickness, state.inside_out);
    if (passage == RayState::Passage::begins) {
      if (state.last != kNone && s.stretches[state.last].end.depth() == c.depth()) continue;  // continues
      state.last = static_cast<std::uint32_t>(s.stretches.size());
      s.stretches.push_back({object, c, c});
    } else if (passage == RayState::Passage::ends) {
      s.stretches[state.last].end = c;
    }
  }
  std::size_t closed = 0;
  for (const std::uint32_t object : s.seen) {
    ObjectState& state = s.states[object];
    state.seen = false;
    state.finish(thickness);
    closed += state.winding == 0 ? 1 : 0;
    if (state.winding != 0) {
      open = true;
      ++s.open[object];
      continue;
    }
    if (state.self_length > 0) self_lengths_.list(worker).add({object, state.self_length});
    if (!state.inside_out) continue;
    inside_out = true;
    ++s.inside_out[object];
  }
  if (open) std::erase_if(s.stretches, [&](const Stretch& t) { return s.states[t.object].winding != 0; });
  s.counts.open += open ? 1 : 0;
  s.counts.inside_out += inside_out ? 1 : 0;
  return closed > 1;
}

void SoftwarePairs::sweep_column(std::span<const FaceCrossing> crossings, std::uint32_t column, unsigned worker) {
  const Group& group = *group_;
  Sweep& s = sweeps_[worker];
  ++s.counts.occupied;
  if (!collect_stretches(crossings, worker)) return;
  const auto find = [&](std::uint32_t a, std::uint32_t b) {
    return find_in([&](std::uint32_t i) { return group.candidates[i].b; }, group.first_candidate[a],
                   group.first_candidate[a + 1], b);
  };
  RecordList<Meeting>& meetings = meetings_.list(worker);
  const std::size_t before = meetings.size();
  for_meetings(StretchList{s.stretches}, query_->thickness, column, find, [&](const Meeting& m) { meetings.add(m); });
  query_->take_spans(meetings.size() - before);
}

void SoftwarePairs::gather(const Group& group, GroupAnswer& out) {
  sorter_.make_spans(group, MeetingParts{ordered_, group, sampler_.workers()}, out.spans);
  for_all(ordered_lengths_, [&](const SelfLength& s) { out.objects[s.object].self_length += s.length; });
  out.open_columns = out.occupied_columns = out.inside_out_columns = 0;
  for (const Sweep& s : sweeps_) {
    for (std::size_t i = 0; i < group.objects.size(); ++i) {
      out.objects[i].open_columns += s.open[i];
      out.objects[i].inside_out_columns += s.inside_out[i];
    }
    out.open_columns += s.counts.open;
    out.occupied_columns += s.counts.occupied;
    out.inside_out_columns += s.counts.inside_out;
  }
}

void SoftwarePairs::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  Stopwatch watch;
  group_ = &group;
  query_ = &query;
  sample(group, out);
  watch.lap(out.ms.ldi);
  gather(group, out);
  watch.lap(out.ms.query);
  sorter_.make_points(group, query, MeetingParts{ordered_, group, sampler_.workers()}, out.points);
  watch.lap(out.ms.points);
  out.dropped_crossings = 0;
  out.sums.clear();
  out.passed_over = 0;
  out.round_count = 0;
  out.read_back_bytes = 0;
  out.ms.gpu = 0;
}

}  // namespace

std::unique_ptr<PairFinder> make_pair_finder(const EngineOptions& options) {
  return std::make_unique<SoftwarePairs>(options.threads, options.max_crossings);
}

}  // namespace lamella::software
