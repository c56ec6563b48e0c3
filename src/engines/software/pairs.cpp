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
#include "engines/software/sampler.hpp"

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
  bool seen = false;
};

/// Results of a chunk of columns, and scratch for processing them.
struct Chunk {
  std::vector<Meeting> meetings;
  std::vector<std::pair<std::uint32_t, double>> self_lengths;  ///< object, length on one ray
  std::vector<std::uint32_t> open;  ///< objects, once for each ray on which they do not close
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;

  void clear() {
    meetings.clear();
    self_lengths.clear();
    open.clear();
    open_columns = occupied_columns = inside_out_columns = 0;
  }
};

struct Sweep {
  std::vector<ObjectState> states;  ///< one for each object of the group; all reset between columns
  std::vector<std::uint32_t> seen;
  std::vector<Stretch> stretches;
};

/// A column as is_consistent() expects it.
struct GroupColumn {
  const Group& group;
  std::span<const FaceCrossing> crossings;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(crossings.size()); }
  [[nodiscard]] FaceCrossing crossing(std::uint32_t i) const { return crossings[i]; }
  [[nodiscard]] std::uint32_t object(std::uint32_t i) const { return group.object_of(crossings[i].face()); }
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

class SoftwarePairs final : public PairFinder {
 public:
  SoftwarePairs(unsigned threads, std::uint64_t max_crossings)
      : sampler_(threads, max_crossings), sweeps_(sampler_.workers().count()) {}

  void find(const Group& group, const GroupQuery& query, GroupAnswer& out) override;
  [[nodiscard]] bool on_cpu() const override { return true; }
  [[nodiscard]] bool gives_volumes() const override { return true; }

 private:
  void sample(const Group& group, GroupAnswer& out);
  void sweep_columns(const Group& group, const GroupQuery& query);
  void sweep_column(const Group& group, const GroupQuery& query, std::uint32_t column, Sweep& s, Chunk& out) const;
  static bool collect_stretches(const Group& group, float thickness, std::span<const FaceCrossing> crossings, Sweep& s,
                                Chunk& out);
  void gather(const Group& group, GroupAnswer& out);
  template <class Visit>
  void for_all_meetings(const Visit& visit) const;

  Sampler<FaceCrossing> sampler_;
  std::vector<SampledMesh> meshes_;
  std::vector<std::uint32_t> offsets_;
  std::vector<FaceCrossing> crossings_;
  std::vector<Sweep> sweeps_;  ///< one per worker
  std::vector<Chunk> chunks_;
  MeetingSorter sorter_;
};

void SoftwarePairs::sample(const Group& group, GroupAnswer& out) {
  meshes_.clear();
  for (const ObjectWindow& w : group.windows) {
    const GroupObject& o = group.objects[w.object];
    meshes_.push_back({o.mesh, w.window, o.first_face});
  }
  sampler_.sample(meshes_, group.grid, {offsets_, crossings_});
  out.objects.assign(group.objects.size(), {});
  for (std::size_t i = 0; i < group.windows.size(); ++i) {
    std::uint32_t& skipped = out.objects[group.windows[i].object].skipped_triangles;
    skipped = std::max(skipped, sampler_.skipped(i));
  }
}

/// Finds the stretches inside each object, ascending by where they begin; false when fewer than two objects are left.
/// An object's stretches that meet at one depth become one. Objects that do not close are left out.
bool SoftwarePairs::collect_stretches(const Group& group, float thickness, std::span<const FaceCrossing> crossings,
                                      Sweep& s, Chunk& out) {
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
    const RayState::Passage passage = state.pass(c, thickness, inside_out);
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
      out.open.push_back(object);
    } else if (state.self_length > 0) {
      out.self_lengths.emplace_back(object, state.self_length);
    }
  }
  if (open) std::erase_if(s.stretches, [&](const Stretch& t) { return s.states[t.object].winding != 0; });
  out.open_columns += open ? 1 : 0;
  out.inside_out_columns += inside_out ? 1 : 0;
  return closed > 1;
}

void SoftwarePairs::sweep_column(const Group& group, const GroupQuery& query, std::uint32_t column, Sweep& s,
                                 Chunk& out) const {
  const auto crossings = std::span(crossings_).subspan(offsets_[column], offsets_[column + 1] - offsets_[column]);
  if (crossings.empty()) return;
  ++out.occupied_columns;
  if (!collect_stretches(group, query.thickness, crossings, s, out)) return;
  const auto find = [&](std::uint32_t a, std::uint32_t b) {
    return find_in([&](std::uint32_t i) { return group.candidates[i].b; }, group.first_candidate[a],
                   group.first_candidate[a + 1], b);
  };
  const std::size_t before = out.meetings.size();
  for_meetings(StretchList{s.stretches}, query.thickness, column, find,
               [&](const Meeting& m) { out.meetings.push_back(m); });
  query.take_spans(out.meetings.size() - before);
}

/// Processes columns in chunks whose size depends only on the grid, so that combining them in order gives the same bits
/// for any number of threads.
void SoftwarePairs::sweep_columns(const Group& group, const GroupQuery& query) {
  constexpr std::size_t kColumns = 4096;
  const std::size_t columns = group.grid.column_count();
  const std::size_t chunks = (columns + kColumns - 1) / kColumns;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  for (Chunk& chunk : chunks_) chunk.clear();
  for (Sweep& s : sweeps_)
    if (s.states.size() < group.objects.size()) s.states.resize(group.objects.size());
  sampler_.workers().for_chunks(columns, kColumns, [&](std::size_t begin, std::size_t end, unsigned worker) {
    Chunk& chunk = chunks_[begin / kColumns];
    for (std::size_t i = begin; i < end; ++i)
      sweep_column(group, query, static_cast<std::uint32_t>(i), sweeps_[worker], chunk);
  });
}

template <class Visit>
void SoftwarePairs::for_all_meetings(const Visit& visit) const {
  for (const Chunk& chunk : chunks_)
    for (const Meeting& m : chunk.meetings) visit(m);
}

void SoftwarePairs::gather(const Group& group, GroupAnswer& out) {
  sorter_.make_spans(
      group, [&](const auto& visit) { for_all_meetings(visit); }, out.spans);
  out.open_columns = out.occupied_columns = out.inside_out_columns = 0;
  for (const Chunk& chunk : chunks_) {
    for (const auto& [object, length] : chunk.self_lengths) out.objects[object].self_length += length;
    for (const std::uint32_t object : chunk.open) ++out.objects[object].open_columns;
    out.open_columns += chunk.open_columns;
    out.occupied_columns += chunk.occupied_columns;
    out.inside_out_columns += chunk.inside_out_columns;
  }
}

void SoftwarePairs::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  Stopwatch watch;
  sample(group, out);
  watch.lap(out.ms.ldi);
  sweep_columns(group, query);
  gather(group, out);
  watch.lap(out.ms.query);
  sorter_.make_points(
      group, query, [&](const auto& visit) { for_all_meetings(visit); }, out.points);
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
