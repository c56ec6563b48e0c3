#include "engines/software/tile_walk.hpp"

#include <algorithm>
#include <bit>

#include "query/column_walk.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/software/tile_walk.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "engines/software/compress-inl.hpp"
#include "engines/software/sort_network-inl.hpp"
#include "hwy/highway.h"

#ifndef LAMELLA_SOFTWARE_TILE_WALK_SCALAR
#define LAMELLA_SOFTWARE_TILE_WALK_SCALAR
namespace lamella::software {

/// One column's sorted keys.
using Keys = std::vector<std::uint32_t>;

/// Columns that are walked one at a time; compiled once, for the baseline.
void walk_pair_column(const Keys& a, const Keys& b, std::uint32_t column, const RowSpans& out);
void walk_self_column(const Keys& keys, std::uint32_t column, const RowSpans& out, SpanList& inside_out);
void check_column(const Keys& keys, float thickness, ColumnCounts& counts);
/// Appends the sorted crossings of a column of any length.
void append_faces(Layers& layers, std::uint32_t column, RecordList<FaceCrossing>& out);

}  // namespace lamella::software
#endif

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, kMaxLanes>;
using I32 = hn::CappedTag<std::int32_t, kMaxLanes>;
using U32 = hn::CappedTag<std::uint32_t, kMaxLanes>;
using VF = hn::Vec<F32>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;
using Lanes = hn::Mask<I32>;

/// In place of a crossing that a column does not have: sorts last.
constexpr std::uint32_t kAbsent = ~0u;

HWY_INLINE VI LoadCounts(const Layers& layers, std::uint32_t column) {
  const hn::Rebind<std::uint8_t, I32> d8;
  return hn::PromoteTo(I32(), hn::LoadU(d8, layers.count() + column));
}
HWY_INLINE std::uint32_t MostOf(VI count) {
  return static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(I32(), count)));
}
HWY_INLINE Lanes NonZero(VI v) { return hn::Gt(v, hn::Zero(I32())); }
HWY_INLINE Lanes NoLanes() { return hn::Lt(hn::Zero(I32()), hn::Zero(I32())); }
HWY_INLINE std::uint32_t CountLanes(Lanes m) { return static_cast<std::uint32_t>(hn::CountTrue(I32(), m)); }
HWY_INLINE VF DepthOf(VU key) { return hn::BitCast(F32(), hn::ShiftRight<1>(key)); }

/// As bools in memory.
HWY_INLINE void StoreLaneFlags(Lanes mask, std::int32_t* to) {
  hn::StoreU(hn::IfThenElseZero(mask, hn::Set(I32(), 1)), I32(), to);
}

/// A vector of columns, sorted; then the intervals in which their winding is high enough: entries and exits in turn.
struct Block {
  VI count;
  std::uint32_t most = 0;  ///< crossings of the fullest column
  VU key[kLayers];

  HWY_INLINE Lanes Has(std::uint32_t i) const { return hn::Gt(count, hn::Set(I32(), static_cast<std::int32_t>(i))); }
};

HWY_INLINE void SortBlock(const Layers& layers, std::uint32_t column, Block& b) {
  const U32 d;
  for (std::uint32_t i = 0; i < b.most; ++i)
    b.key[i] = hn::IfThenElse(hn::RebindMask(d, b.Has(i)), hn::LoadU(d, layers.key() + i * layers.plane() + column),
                              hn::Set(d, kAbsent));
  SortLayers(b.most, b.key);
}

/// Whether all columns are plain: they close, go in and out in turn, and are not left and entered again at one depth.
/// Most blocks are; then the crossings are the ends of the intervals inside.
HWY_INLINE bool IsPlain(const Block& b) {
  const U32 d;
  const VU one = hn::Set(d, 1);
  VU wrong = hn::And(hn::BitCast(d, b.count), one);  // an odd number of crossings
  for (std::uint32_t i = 0; i < b.most; i += 2) {
    const auto has = hn::RebindMask(d, b.Has(i));
    wrong = hn::Or(wrong, hn::IfThenElseZero(has, hn::AndNot(b.key[i], one)));  // not an entry
    if (i > 0) wrong = hn::Or(wrong, hn::VecFromMask(d, hn::Eq(b.key[i], hn::Add(b.key[i - 1], one))));
    if (i + 1 < b.most) {
      const auto has_next = hn::RebindMask(d, b.Has(i + 1));
      wrong = hn::Or(wrong, hn::IfThenElseZero(has_next, hn::And(b.key[i + 1], one)));  // not an exit
    }
  }
  return hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)));
}

/// Columns of a block that have no intervals.
struct Unusual {
  Lanes open, inside_out;  ///< not closed; the winding is below 0 somewhere, be it ever so short
};

/// Replaces the crossings by the ends of the intervals in which the winding is at least `least`. Only windings between
/// two different depths count.
HWY_NOINLINE Unusual MakeIntervals(Block& b, int least) {
  const I32 d;
  const U32 du;
  const VI one = hn::Set(d, 1), below = hn::Set(d, least - 1), zero = hn::Zero(d);
  VI winding = zero, lowest = zero, intervals = zero;
  auto inside = NoLanes();
  for (std::uint32_t i = 0; i < b.most; ++i) {
    const VU depth = hn::ShiftRight<1>(b.key[i]);
    const VI entry = hn::BitCast(d, hn::And(b.key[i], hn::Set(du, 1)));
    const auto has = b.Has(i);
    winding = hn::Add(winding, hn::IfThenElseZero(has, hn::Sub(hn::Add(entry, entry), one)));
    auto last_there = has;  // of the crossings at this depth
    if (i + 1 < b.most) last_there = hn::And(has, hn::RebindMask(d, hn::Ne(depth, hn::ShiftRight<1>(b.key[i + 1]))));
    lowest = hn::Min(lowest, hn::IfThenElseZero(last_there, winding));
    const auto now_inside = hn::Gt(winding, below);
    const auto changes = hn::And(last_there, hn::Xor(inside, now_inside));
    inside = hn::Xor(inside, changes);
    intervals = hn::Add(intervals, hn::IfThenElseZero(changes, one));
    const VU end = hn::Or(hn::ShiftLeft<1>(depth), hn::IfThenElseZero(hn::RebindMask(du, now_inside), hn::Set(du, 1)));
    b.key[i] = hn::IfThenElse(hn::RebindMask(du, changes), end, hn::Set(du, kAbsent));
  }
  const Unusual unusual{hn::Ne(winding, zero), hn::Lt(lowest, zero)};
  b.count = hn::IfThenZeroElse(hn::Or(unusual.open, unusual.inside_out), intervals);
  // Ends that are left move together: they stay in order, and what is absent sorts last.
  SortLayers(b.most, b.key);
  b.most = MostOf(b.count);
  return unusual;
}

/// Columns whose entries and exits are not equally many, without sorting them.
HWY_INLINE Lanes OpenColumns(const Layers& layers, std::uint32_t column, VI count, std::uint32_t most) {
  const U32 d;
  const I32 di;
  VI twice = hn::Zero(di);  // the number of entries, twice
  for (std::uint32_t i = 0; i < most; ++i) {
    const auto has = hn::Gt(count, hn::Set(di, static_cast<std::int32_t>(i)));
    const VU key = hn::LoadU(d, layers.key() + i * layers.plane() + column);
    const VI entry = hn::BitCast(di, hn::And(key, hn::Set(d, 1)));
    twice = hn::Add(twice, hn::IfThenElseZero(has, hn::Add(entry, entry)));
  }
  return hn::Ne(twice, count);
}

/// Appends spans of the lanes in `mask`, in order.
HWY_INLINE void AppendSpans(Lanes mask, std::uint32_t first_column, VF begin, VF end, SpanList& out) {
  const U32 d;
  const LaneCompressor<> compress(mask);
  Span* const to = out.room(hn::Lanes(d));
  hn::StoreInterleaved3(compress(hn::Add(hn::Iota(d, 0), hn::Set(d, first_column))), compress(hn::BitCast(d, begin)),
                        compress(hn::BitCast(d, end)), d, reinterpret_cast<std::uint32_t*>(to));
  out.added(compress.count());
}

// -------------------------------------------------------------------------------------------------------------- ends

/// Crossings of one mesh that end spans of a block: their triangles, and how many there are in each lane.
struct Matches {
  VU face, count;
};
HWY_INLINE void AppendEnds(Lanes mask, VU face, std::uint32_t u, RecordList<FoundEnd>& out) {
  const U32 d;
  const LaneCompressor<> compress(mask);
  FoundEnd* const to = out.room(hn::Lanes(d));
  hn::StoreInterleaved2(compress(face), compress(hn::Add(hn::Iota(d, 0), hn::Set(d, u))), d,
                        reinterpret_cast<std::uint32_t*>(to));
  out.added(compress.count());
}

/// The ends of spans of consecutive columns, one in each lane of `mask`. Looks through all crossings of the columns
/// without branches: which of them ends a span cannot be predicted. `column` of the tile and `image_column` are those
/// of the first lane.
template <std::size_t kSides>
HWY_INLINE void FindEnds(const Layers* const (&sides)[kSides], std::uint32_t column, std::uint32_t image_column,
                         Lanes mask, VF begin, VF end, const RowSpans& row) {
  const U32 d;
  const I32 di;
  const VU one = hn::Set(d, 1), zero = hn::Zero(d);
  const VU wanted_end = hn::ShiftLeft<1>(hn::BitCast(d, end));  // Crossing::make()
  const VU wanted_begin = hn::Or(hn::ShiftLeft<1>(hn::BitCast(d, begin)), one);
  Matches begins[kSides], ends[kSides];
  for (std::size_t side = 0; side < kSides; ++side) {
    const Layers& layers = *sides[side];
    const VI count = LoadCounts(layers, column);
    const std::uint32_t most = MostOf(count);
    const std::uint32_t *keys = layers.key() + column, *faces = layers.face() + column;
    Matches from{zero, zero}, to{zero, zero};
    for (std::uint32_t i = 0; i < most; ++i, keys += layers.plane(), faces += layers.plane()) {
      const VU key = hn::LoadU(d, keys), face = hn::LoadU(d, faces);
      const auto has = hn::RebindMask(d, hn::Gt(count, hn::Set(di, static_cast<std::int32_t>(i))));
      const auto here_begin = hn::And(has, hn::Eq(key, wanted_begin)), here_end = hn::And(has, hn::Eq(key, wanted_end));
      from = {hn::IfThenElse(here_begin, face, from.face), hn::Add(from.count, hn::IfThenElseZero(here_begin, one))};
      to = {hn::IfThenElse(here_end, face, to.face), hn::Add(to.count, hn::IfThenElseZero(here_end, one))};
    }
    begins[side] = from;
    ends[side] = to;
  }
  VU all_begins = begins[0].count, all_ends = ends[0].count;
  for (std::size_t side = 1; side < kSides; ++side) {
    all_begins = hn::Add(all_begins, begins[side].count);
    all_ends = hn::Add(all_ends, ends[side].count);
  }
  const auto sure = hn::And(mask, hn::RebindMask(di, hn::And(hn::Eq(all_begins, one), hn::Eq(all_ends, one))));
  const std::uint32_t u = sides[0]->tile().first_u + (image_column - row.first_column);
  FoundEnds& out = *row.ends;
  for (std::size_t side = 0; side < kSides; ++side) {
    const auto in = [&](VU count) { return hn::And(sure, hn::RebindMask(di, hn::Ne(count, zero))); };
    AppendEnds(in(begins[side].count), begins[side].face, u, out.begins[side]);
    AppendEnds(in(ends[side].count), ends[side].face, u, out.ends[side]);
  }
  const auto unsure = hn::AndNot(sure, mask);
  if (!hn::AllFalse(di, unsure)) AppendSpans(unsure, image_column, begin, end, out.unsure);
}

/// The spans from number `first` on, of a column that was walked by itself.
inline void AddUnsure(const RowSpans& out, std::size_t first) {
  if (out.ends == nullptr) return;
  for (std::size_t i = first; i < out.spans.size(); ++i) out.ends->unsure.add(out.spans.data()[i]);
}

// ------------------------------------------------------------------------------------------------------------- spans

/// Calls visit(mask, begin, end) for the overlaps of each two intervals of a and b, in the order of their depths.
template <class Visit>
HWY_INLINE void ForOverlaps(const Block& a, const Block& b, float thickness, const Visit& visit) {
  const VF least = hn::Set(F32(), thickness);
  for (std::uint32_t i = 0; i + 1 < a.most; i += 2) {
    const auto has_a = a.Has(i);
    const VF begin_a = DepthOf(a.key[i]), end_a = DepthOf(a.key[i + 1]);
    for (std::uint32_t j = 0; j + 1 < b.most; j += 2) {
      const VF begin = hn::Max(begin_a, DepthOf(b.key[j])), end = hn::Min(end_a, DepthOf(b.key[j + 1]));
      const auto thick = hn::RebindMask(I32(), hn::Gt(hn::Sub(end, begin), least));
      const auto found = hn::And(hn::And(has_a, b.Has(j)), thick);
      if (!hn::AllFalse(I32(), found)) visit(found, begin, end);
    }
  }
}

/// The same for the intervals of one mesh.
template <class Visit>
HWY_INLINE void ForIntervals(const Block& b, float thickness, const Visit& visit) {
  for (std::uint32_t i = 0; i + 1 < b.most; i += 2) {
    const VF begin = DepthOf(b.key[i]), end = DepthOf(b.key[i + 1]);
    const auto thick = hn::RebindMask(I32(), hn::Gt(hn::Sub(end, begin), hn::Set(F32(), thickness)));
    const auto found = hn::And(b.Has(i), thick);
    if (!hn::AllFalse(I32(), found)) visit(found, begin, end);
  }
}

/// Collects the spans of a block, then writes them column by column, those of columns that are walked one at a time
/// among them.
class SpanWriter {
 public:
  SpanWriter() : any_(NoLanes()), several_(NoLanes()), begin_(hn::Zero(F32())), end_(hn::Zero(F32())) {}

  HWY_INLINE void Add(Lanes mask, VF from, VF to) {
    const auto in_lanes = hn::RebindMask(F32(), mask);
    several_ = hn::Or(several_, hn::And(any_, mask));
    any_ = hn::Or(any_, mask);
    begin_ = hn::IfThenElse(in_lanes, from, begin_);
    end_ = hn::IfThenElse(in_lanes, to, end_);
    hn::Store(from, F32(), from_[size_]);
    hn::Store(to, F32(), to_[size_]);
    StoreLaneFlags(mask, has_[size_++]);
  }

  /// Calls walk(lane) for the lanes in `special`, which must have no spans here.
  template <class Walk>
  HWY_INLINE void Write(Lanes special, std::uint32_t first_column, SpanList& out, const Walk& walk) {
    const I32 d;
    if (hn::AllFalse(d, hn::Or(special, several_))) {
      if (size_ != 0) AppendSpans(any_, first_column, begin_, end_, out);
      return;
    }
    HWY_ALIGN std::int32_t specials[kMaxLanes];
    StoreLaneFlags(special, specials);
    for (std::uint32_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if (specials[lane] != 0) walk(lane);
      for (std::size_t i = 0; i < size_; ++i)
        if (has_[i][lane] != 0) out.add({first_column + lane, from_[i][lane], to_[i][lane]});
    }
  }

  static constexpr std::size_t kMost = kLayers;

 private:
  Lanes any_, several_;
  VF begin_, end_;
  std::size_t size_ = 0;
  HWY_ALIGN float from_[kMost][kMaxLanes], to_[kMost][kMaxLanes];
  HWY_ALIGN std::int32_t has_[kMost][kMaxLanes];
};

// ------------------------------------------------------------------------------------------------------------- pairs

/// Columns of a block that both meshes have: from crossings to spans.
HWY_INLINE void WalkBothSides(Layers& a, Layers& b, std::uint32_t column, std::uint32_t image_column, Block& in_a,
                              Block& in_b, Lanes occupied, const RowSpans& out) {
  const I32 d;
  auto special = occupied;
  SpanWriter writer;
  const auto both = hn::And(NonZero(in_a.count), NonZero(in_b.count));
  const bool deep = in_a.most == kLayers || in_b.most == kLayers;  // there may be more crossings
  if (!deep) {
    SortBlock(a, column, in_a);
    SortBlock(b, column, in_b);
    special = NoLanes();
    auto open = special;
    for (Block* block : {&in_a, &in_b}) {
      if (IsPlain(*block)) continue;
      const Unusual unusual = MakeIntervals(*block, kInside);
      open = hn::Or(open, unusual.open);
      special = hn::Or(special, unusual.inside_out);
    }
    special = hn::AndNot(open, hn::And(special, both));
    if ((in_a.most / 2) * (in_b.most / 2) > SpanWriter::kMost) special = hn::AndNot(open, both);
    if (!hn::AllFalse(d, hn::Or(open, special))) in_a.count = hn::IfThenZeroElse(hn::Or(open, special), in_a.count);
    out.counts.occupied += CountLanes(hn::AndNot(special, occupied));
    out.counts.open += CountLanes(open);
    ForOverlaps(in_a, in_b, out.thickness, [&](Lanes mask, VF from, VF to) {
      writer.Add(mask, from, to);
      if (out.ends != nullptr) FindEnds<2>({&a, &b}, column, image_column, mask, from, to, out);
    });
  }
  writer.Write(special, image_column, out.spans, [&](std::uint32_t lane) {
    const std::size_t first = out.spans.size();
    walk_pair_column(a.sorted_keys(column + lane), b.sorted_keys(column + lane), image_column + lane, out);
    AddUnsure(out, first);
  });
}

inline void WalkPair(Layers& a, Layers& b, std::uint32_t row, const RowSpans& out) {
  const I32 d;
  Block in_a, in_b;
  for (std::uint32_t u = 0; u < a.width(); u += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const std::uint32_t column = row * a.stride() + u;
    in_a.count = LoadCounts(a, column);
    in_b.count = LoadCounts(b, column);
    const auto occupied = NonZero(hn::Or(in_a.count, in_b.count));
    if (hn::AllFalse(d, occupied)) continue;
    in_a.most = MostOf(in_a.count);
    in_b.most = MostOf(in_b.count);
    const auto both = hn::And(NonZero(in_a.count), NonZero(in_b.count));
    if (hn::AllFalse(d, both) && in_a.most < kLayers && in_b.most < kLayers) {
      const auto open =
          hn::Or(OpenColumns(a, column, in_a.count, in_a.most), OpenColumns(b, column, in_b.count, in_b.most));
      out.counts.occupied += CountLanes(occupied);
      out.counts.open += CountLanes(open);
      continue;
    }
    WalkBothSides(a, b, column, out.first_column + u, in_a, in_b, occupied, out);
  }
}

// -------------------------------------------------------------------------------------------------------------- self

/// Calls visit(first column of a block, its intervals, special lanes) for blocks that are not plain, and counts columns
/// that are not special: those beyond the layers, and those that are inside out somewhere.
template <class Visit>
HWY_INLINE void ForUnusualBlocks(Layers& mesh, std::uint32_t row, int least, ColumnCounts& counts, const Visit& visit) {
  const I32 d;
  Block b;
  for (std::uint32_t u = 0; u < mesh.width(); u += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const std::uint32_t column = row * mesh.stride() + u;
    b.count = LoadCounts(mesh, column);
    const auto occupied = NonZero(b.count);
    if (hn::AllFalse(d, occupied)) continue;
    b.most = MostOf(b.count);
    if (b.most == kLayers) {
      b.most = 0;
      visit(u, b, occupied);
      continue;
    }
    SortBlock(mesh, column, b);
    auto special = NoLanes();
    const bool plain = IsPlain(b);
    if (!plain) {
      const Unusual unusual = MakeIntervals(b, least);
      special = hn::AndNot(unusual.open, unusual.inside_out);
      counts.open += CountLanes(unusual.open);
    }
    counts.occupied += CountLanes(hn::AndNot(special, occupied));
    if (!plain) visit(u, b, special);
  }
}

inline void WalkSelf(Layers& mesh, std::uint32_t row, const RowSpans& out, SpanList& inside_out) {
  ForUnusualBlocks(mesh, row, kCoveredTwice, out.counts, [&](std::uint32_t u, const Block& b, Lanes special) {
    SpanWriter writer;
    const std::uint32_t column = row * mesh.stride() + u, image_column = out.first_column + u;
    ForIntervals(b, out.thickness, [&](Lanes mask, VF from, VF to) {
      writer.Add(mask, from, to);
      if (out.ends != nullptr) FindEnds<1>({&mesh}, column, image_column, mask, from, to, out);
    });
    writer.Write(special, image_column, out.spans, [&](std::uint32_t lane) {
      const std::size_t first = out.spans.size();
      walk_self_column(mesh.sorted_keys(column + lane), image_column + lane, out, inside_out);
      AddUnsure(out, first);
    });
  });
}

inline void CheckColumns(Layers& mesh, std::uint32_t row, float thickness, ColumnCounts& counts) {
  const I32 d;
  ForUnusualBlocks(mesh, row, kInside, counts, [&](std::uint32_t u, const Block&, Lanes special) {
    if (hn::AllFalse(d, special)) return;
    HWY_ALIGN std::int32_t specials[kMaxLanes];
    StoreLaneFlags(special, specials);
    for (std::uint32_t lane = 0; lane < hn::Lanes(d); ++lane)
      if (specials[lane] != 0) check_column(mesh.sorted_keys(row * mesh.stride() + u + lane), thickness, counts);
  });
}

// ------------------------------------------------------------------------------------------------------ sorted columns

/// Sorts blocks of columns and writes them column by column. load_layer(column, i) gives a vector of keys.
template <class D, class Element, class LoadLayer, class AppendDeep>
HWY_INLINE void SortRow(D d, Layers& mesh, std::uint32_t row, RecordList<Element>& out, std::uint32_t* lengths,
                        const LoadLayer& load_layer, const AppendDeep& append_deep) {
  using Key = hn::TFromD<D>;
  hn::Vec<D> sorted[kLayers];
  HWY_ALIGN Key keys[kLayers][hn::MaxLanes(D())];
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  for (std::uint32_t u = 0; u < mesh.width(); u += lanes) {
    const std::uint32_t column = row * mesh.stride() + u;
    const std::uint8_t* const counts = mesh.count() + column;
    const std::uint32_t in_row = std::min(lanes, mesh.width() - u);
    const std::uint32_t most = *std::max_element(counts, counts + in_row);
    if (most == kLayers) {  // there may be more crossings
      for (std::uint32_t lane = 0; lane < in_row; ++lane) {
        const std::size_t before = out.size();
        append_deep(column + lane);
        lengths[u + lane] = static_cast<std::uint32_t>(out.size() - before);
      }
      continue;
    }
    std::copy(counts, counts + in_row, lengths + u);
    if (most == 0) continue;
    for (std::uint32_t i = 0; i < most; ++i) sorted[i] = load_layer(column, i);
    SortLayers(most, sorted);
    for (std::uint32_t i = 0; i < most; ++i) hn::Store(sorted[i], d, keys[i]);
    Element* const first = out.room(std::size_t{most} * in_row);
    Element* to = first;
    for (std::uint32_t lane = 0; lane < in_row; ++lane)
      for (std::uint32_t i = 0; i < counts[lane]; ++i) (to++)->key = keys[i][lane];
    out.added(static_cast<std::size_t>(to - first));
  }
}

inline void SortRowOfCrossings(Layers& mesh, std::uint32_t row, RecordList<Crossing>& out, std::uint32_t* lengths) {
  const U32 d;
  const auto load = [&](std::uint32_t column, std::size_t i) {
    const auto has = hn::Gt(LoadCounts(mesh, column), hn::Set(I32(), static_cast<std::int32_t>(i)));
    const VU key = hn::LoadU(d, mesh.key() + i * mesh.plane() + column);
    return hn::IfThenElse(hn::RebindMask(d, has), key, hn::Set(d, kAbsent));
  };
  SortRow(d, mesh, row, out, lengths, load, [&](std::uint32_t column) {
    const Keys& deep = mesh.sorted_keys(column);
    Crossing* const to = out.room(deep.size());
    for (std::size_t i = 0; i < deep.size(); ++i) to[i].key = deep[i];
    out.added(deep.size());
  });
}

inline void SortRowOfFaces(Layers& mesh, std::uint32_t row, RecordList<FaceCrossing>& out, std::uint32_t* lengths) {
  const hn::CappedTag<std::uint64_t, kMaxLanes> d;
  const hn::Rebind<std::uint32_t, decltype(d)> d32;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto load = [&](std::uint32_t column, std::size_t i) {
    const std::size_t at = i * mesh.plane() + column;
    const auto key = hn::PromoteTo(d, hn::LoadU(d32, mesh.key() + at));
    const auto face = hn::PromoteTo(d, hn::LoadU(d32, mesh.face() + at));
    const auto count = hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(d8, mesh.count() + column)));
    const auto has = hn::Gt(count, hn::Set(d, i));
    return hn::IfThenElse(has, hn::Or(hn::ShiftLeft<32>(key), face), hn::Set(d, ~std::uint64_t{0}));
  };
  SortRow(d, mesh, row, out, lengths, load, [&](std::uint32_t column) { append_faces(mesh, column, out); });
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(WalkPair);
HWY_EXPORT(WalkSelf);
HWY_EXPORT(CheckColumns);
HWY_EXPORT(SortRowOfCrossings);
HWY_EXPORT(SortRowOfFaces);

namespace {

KeyCursor<> cursor_of(const Keys& keys) { return {keys.data(), static_cast<std::uint32_t>(keys.size())}; }

bool closes(const Keys& keys) {
  const auto entries = std::count_if(keys.begin(), keys.end(), [](std::uint32_t k) { return (k & 1) != 0; });
  return 2 * static_cast<std::size_t>(entries) == keys.size();
}

}  // namespace

void append_faces(Layers& layers, std::uint32_t column, RecordList<FaceCrossing>& out) {
  const std::uint32_t count = layers.count()[column];
  const auto deep = layers.any_deep() ? layers.deep(column) : std::span<const DeepCrossing>();
  FaceCrossing* const to = out.room(count + deep.size());
  FaceCrossing* end = to;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t at = i * layers.plane() + column;
    *end++ = FaceCrossing::make({layers.key()[at]}, layers.face()[at]);
  }
  for (const DeepCrossing& c : deep) *end++ = FaceCrossing::make({c.key}, c.face);
  std::sort(to, end);
  out.added(count + deep.size());
}

void walk_pair_column(const Keys& a, const Keys& b, std::uint32_t column, const RowSpans& out) {
  if (a.empty() && b.empty()) return;
  ++out.counts.occupied;
  if (!closes(a) || !closes(b)) {
    ++out.counts.open;
    return;
  }
  if (a.empty() || b.empty()) return;
  const bool inside_out =
      sweep_pair(cursor_of(a), cursor_of(b), WholeColumn{}, WholeColumn{}, out.thickness, [&](float begin, float end) {
        out.spans.add({column, begin, end});
      });
  out.counts.inside_out += inside_out ? 1 : 0;
}

void walk_self_column(const Keys& keys, std::uint32_t column, const RowSpans& out, SpanList& inside_out) {
  if (keys.empty()) return;
  ++out.counts.occupied;
  if (!closes(keys)) {
    ++out.counts.open;
    return;
  }
  const std::size_t before = inside_out.size();
  sweep_self(
      cursor_of(keys), WholeColumn{}, out.thickness,
      [&](float begin, float end) {
        out.spans.add({column, begin, end});
      },
      [&](float begin, float end) {
        inside_out.add({column, begin, end});
      });
  out.counts.inside_out += inside_out.size() != before ? 1 : 0;
}

void check_column(const Keys& keys, float thickness, ColumnCounts& counts) {
  if (keys.empty()) return;
  ++counts.occupied;
  if (!closes(keys))
    ++counts.open;
  else if (turns_inside_out(cursor_of(keys), WholeColumn{}, thickness))
    ++counts.inside_out;
}

void walk_pair(Layers& a, Layers& b, std::uint32_t row, const RowSpans& out) {
  HWY_DYNAMIC_DISPATCH(WalkPair)(a, b, row, out);
}
void walk_self(Layers& mesh, std::uint32_t row, const RowSpans& out, SpanList& inside_out) {
  HWY_DYNAMIC_DISPATCH(WalkSelf)(mesh, row, out, inside_out);
}
void check_columns(Layers& mesh, std::uint32_t row, float thickness, ColumnCounts& counts) {
  HWY_DYNAMIC_DISPATCH(CheckColumns)(mesh, row, thickness, counts);
}
void sort_row(Layers& mesh, std::uint32_t row, RecordList<Crossing>& out, std::uint32_t* lengths) {
  HWY_DYNAMIC_DISPATCH(SortRowOfCrossings)(mesh, row, out, lengths);
}
void sort_row(Layers& mesh, std::uint32_t row, RecordList<FaceCrossing>& out, std::uint32_t* lengths) {
  HWY_DYNAMIC_DISPATCH(SortRowOfFaces)(mesh, row, out, lengths);
}

}  // namespace lamella::software
#endif  // HWY_ONCE
