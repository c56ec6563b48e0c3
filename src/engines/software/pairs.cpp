// Inconsistent pairs on the CPU: Jang, Jeong, Han, "GPU-based Image-space Approach to Collision Detection among Closed
// Objects", sections 3 to 5. All objects of a group are sampled into one layered depth image whose crossings know their
// face and so their object.
//
// Where it departs from the paper:
// - Every column is whole. A back face is not compared with the nearest front face alone: each object's stretches
//   inside are built from its own crossings, and two objects collide where stretches overlap. That finds what the paper
//   finds, and also the pairs that a third object's front face hides; a surface that overlaps itself does not confuse
//   it.
// - Stretches sum to volumes.
// - An object is sampled only where the box of one of its candidate pairs is.

#include "engines/software/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/software/sampler.hpp"
#include "engines/whole_query.hpp"

namespace lamella {
namespace {

/// A stretch of a ray inside one object.
struct Stretch {
  std::uint32_t object = 0;
  FaceCrossing begin, end;
};

/// Two stretches that overlap.
struct Meeting {
  std::uint32_t candidate = 0, column = 0;
  FaceCrossing begin_a, end_a, begin_b, end_b;

  [[nodiscard]] float begin() const { return std::max(begin_a.depth(), begin_b.depth()); }
  [[nodiscard]] float end() const { return std::min(end_a.depth(), end_b.depth()); }
};

/// What one ray tells of one object.
struct RayState {
  int winding = 0;
  std::uint32_t last = ~0u;  ///< its latest stretch
  float self_begin = 0;      ///< where the winding reached 2
  float below_begin = 0;     ///< where it went below 0
  double self_length = 0;
  bool seen = false;
};

/// What a run of columns gives, and the scratch of going through them.
struct Chunk {
  std::vector<Meeting> meetings;
  std::vector<std::pair<std::uint32_t, double>> self_lengths;  ///< object, length on one ray
  std::vector<std::uint32_t> open;                             ///< objects, once for each ray they stay open on
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;

  void clear() {
    meetings.clear();
    self_lengths.clear();
    open.clear();
    open_columns = occupied_columns = inside_out_columns = 0;
  }
};

struct Sweep {
  std::vector<RayState> states;  ///< one for each object of the group, all untouched between columns
  std::vector<std::uint32_t> seen;
  std::vector<Stretch> stretches;
  std::vector<std::uint32_t> active;  ///< stretches that the ray is in
};

constexpr std::uint32_t kNone = ~0u;

std::uint32_t find_candidate(const Group& group, std::uint32_t a, std::uint32_t b) {
  const auto begin = group.candidates.begin() + group.first_candidate[a];
  const auto end = group.candidates.begin() + group.first_candidate[a + 1];
  const auto found = std::lower_bound(begin, end, b, [](const Candidate& c, std::uint32_t x) { return c.b < x; });
  if (found == end || found->b != b) return kNone;
  return static_cast<std::uint32_t>(found - group.candidates.begin());
}

/// Whether the ray leaves every object before it enters another: consistent pairs of front and back faces alone, as the
/// paper calls them. Most rays are like that, and nothing is to be told of them.
bool consistent(const Group& group, std::span<const FaceCrossing> crossings) {
  if (crossings.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < crossings.size(); i += 2) {
    const FaceCrossing front = crossings[i], back = crossings[i + 1];
    if (front.sign() < 0 || back.sign() > 0 || group.object_of(front.face()) != group.object_of(back.face()))
      return false;
  }
  return true;
}

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
  static void collect_meetings(const Group& group, float thickness, std::uint32_t column, Sweep& s, Chunk& out);
  void gather(const Group& group, GroupAnswer& out);
  void make_points(const Group& group, const GroupQuery& query, GroupAnswer& out);

  software::Sampler<FaceCrossing> sampler_;
  std::vector<software::SampledMesh> meshes_;
  std::vector<std::uint32_t> offsets_;
  std::vector<FaceCrossing> crossings_;
  std::vector<Sweep> sweeps_;  ///< one per worker
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> cursor_;
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

/// Stretches inside each object, ascending by where they begin; false where fewer than two objects are left. An
/// object's stretches that meet at one depth are one. Objects that do not close are left out.
bool SoftwarePairs::collect_stretches(const Group& group, float thickness, std::span<const FaceCrossing> crossings,
                                      Sweep& s, Chunk& out) {
  if (consistent(group, crossings)) return false;
  s.seen.clear();
  s.stretches.clear();
  bool inside_out = false, open = false;
  for (const FaceCrossing c : crossings) {
    const std::uint32_t object = group.object_of(c.face());
    RayState& state = s.states[object];
    if (!state.seen) {
      state = {};
      state.seen = true;
      s.seen.push_back(object);
    }
    const int before = state.winding, after = before + c.sign();
    state.winding = after;
    if (before == 0 && after == 1) {
      if (state.last != kNone && s.stretches[state.last].end.depth() == c.depth()) continue;  // goes on
      state.last = static_cast<std::uint32_t>(s.stretches.size());
      s.stretches.push_back({object, c, c});
    } else if (before == 1 && after == 0) {
      s.stretches[state.last].end = c;
    } else if (before == 1 && after == 2) {
      state.self_begin = c.depth();
    } else if (before == 2 && after == 1) {
      state.self_length += static_cast<double>(c.depth()) - state.self_begin;
    }
    if (before == 0 && after == -1) state.below_begin = c.depth();
    if (before == -1 && after == 0) inside_out = inside_out || c.depth() - state.below_begin > thickness;
  }
  std::size_t closed = 0;
  for (const std::uint32_t object : s.seen) {
    RayState& state = s.states[object];
    state.seen = false;
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

void SoftwarePairs::collect_meetings(const Group& group, float thickness, std::uint32_t column, Sweep& s, Chunk& out) {
  s.active.clear();
  for (std::uint32_t k = 0; k < s.stretches.size(); ++k) {
    const Stretch& later = s.stretches[k];
    const float begin = later.begin.depth();
    std::erase_if(s.active, [&](std::uint32_t i) { return s.stretches[i].end.depth() <= begin; });
    for (const std::uint32_t i : s.active) {
      const Stretch& earlier = s.stretches[i];
      if (std::min(earlier.end.depth(), later.end.depth()) - begin <= thickness) continue;
      const bool swapped = earlier.object > later.object;
      const Stretch &a = swapped ? later : earlier, &b = swapped ? earlier : later;
      const std::uint32_t candidate = find_candidate(group, a.object, b.object);
      if (candidate != kNone) out.meetings.push_back({candidate, column, a.begin, a.end, b.begin, b.end});
    }
    s.active.push_back(k);
  }
}

void SoftwarePairs::sweep_column(const Group& group, const GroupQuery& query, std::uint32_t column, Sweep& s,
                                 Chunk& out) const {
  const auto crossings = std::span(crossings_).subspan(offsets_[column], offsets_[column + 1] - offsets_[column]);
  if (crossings.empty()) return;
  ++out.occupied_columns;
  if (collect_stretches(group, query.thickness, crossings, s, out))
    collect_meetings(group, query.thickness, column, s, out);
}

/// Columns in chunks whose size depends on the grid alone, so that gathering them in order gives the same bits for any
/// number of threads.
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

/// Where the records of each candidate begin, from their numbers: cursor[i + 1] holds candidate i's at first.
void begin_from_counts(std::vector<std::uint32_t>& cursor) {
  for (std::size_t i = 1; i < cursor.size(); ++i) cursor[i] += cursor[i - 1];
}

PairSpan make_span(const Meeting& m) {
  // Two ways apart along the ray: a goes on, its front past b's back, or turns back, its back past b's front.
  const bool forward = m.end_b.depth() - m.begin_a.depth() <= m.end_a.depth() - m.begin_b.depth();
  const FaceCrossing a = forward ? m.begin_a : m.end_a, b = forward ? m.end_b : m.begin_b;
  return {m.candidate, m.column, m.begin(), m.end(), {a.crossing(), a.face()}, {b.crossing(), b.face()}};
}

/// Calls point(a, b) for the surfaces of a meeting that are close to one another, of all four kinds.
template <class Point>
void for_points(const Meeting& m, float threshold, const Point& point) {
  for (const FaceCrossing a : {m.begin_a, m.end_a})
    for (const FaceCrossing b : {m.begin_b, m.end_b})
      if (std::abs(a.depth() - b.depth()) <= threshold) point(a, b);
}

/// Spans of all chunks by candidate, the order within one kept, and what else the chunks say.
void SoftwarePairs::gather(const Group& group, GroupAnswer& out) {
  cursor_.assign(group.candidates.size() + 1, 0);
  for (const Chunk& chunk : chunks_)
    for (const Meeting& m : chunk.meetings) ++cursor_[m.candidate + 1];
  begin_from_counts(cursor_);
  out.spans.resize(cursor_.back());
  out.open_columns = out.occupied_columns = out.inside_out_columns = 0;
  for (const Chunk& chunk : chunks_) {
    for (const Meeting& m : chunk.meetings) out.spans[cursor_[m.candidate]++] = make_span(m);
    for (const auto& [object, length] : chunk.self_lengths) out.objects[object].self_length += length;
    for (const std::uint32_t object : chunk.open) ++out.objects[object].open_columns;
    out.open_columns += chunk.open_columns;
    out.occupied_columns += chunk.occupied_columns;
    out.inside_out_columns += chunk.inside_out_columns;
  }
}

void SoftwarePairs::make_points(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  out.points.clear();
  if (!query.points) return;
  cursor_.assign(group.candidates.size() + 1, 0);
  for (Chunk& chunk : chunks_)
    for (const Meeting& m : chunk.meetings)
      if (group.candidates[m.candidate].points)
        for_points(m, query.threshold, [&](FaceCrossing, FaceCrossing) { ++cursor_[m.candidate + 1]; });
  begin_from_counts(cursor_);
  out.points.resize(cursor_.back());
  for (const Chunk& chunk : chunks_)
    for (const Meeting& m : chunk.meetings)
      if (group.candidates[m.candidate].points)
        for_points(m, query.threshold, [&](FaceCrossing a, FaceCrossing b) {
          out.points[cursor_[m.candidate]++] = {
              m.candidate, m.column, {a.crossing(), a.face()}, {b.crossing(), b.face()}};
        });
}

void SoftwarePairs::find(const Group& group, const GroupQuery& query, GroupAnswer& out) {
  Stopwatch watch;
  sample(group, out);
  watch.lap(out.ldi_ms);
  sweep_columns(group, query);
  gather(group, out);
  watch.lap(out.pairs_ms);
  make_points(group, query, out);
  watch.lap(out.points_ms);
  out.dropped_crossings = 0;
  out.rounds = 0;
  out.read_back_bytes = 0;
  out.gpu_ms = 0;
}

}  // namespace

std::unique_ptr<PairFinder> make_software_pairs(unsigned threads, std::uint64_t max_crossings) {
  return std::make_unique<SoftwarePairs>(threads, max_crossings);
}

}  // namespace lamella
