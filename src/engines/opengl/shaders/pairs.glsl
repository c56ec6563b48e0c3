// What the passes of gl-pairs share; see pairs.cpp.

layout(std140, binding = 1) uniform Round {
  float thickness;      // pairs whose back is not farther behind the front than this are not counted
  float threshold;      // of collision points
  uint pair_capacity;
  uint point_capacity;
  int first;            // number of the round's first layer; it has two more
  int oldest;           // layer that is still kept
  int slices;           // layer l is in slice l % slices
  uint column_count;
  uint out_capacity;    // records that the host has room for
  uint flags;           // of the constants below
};

const uint kKeepSpans = 1u;    // the host wants the pairs, not only their sums
const uint kPublished = 2u;    // as in the paper: the nearest layer alone, one texel for what a column has
const uint kKeepDoubles = 4u;  // for tests

bool asked(uint flag) { return (flags & flag) != 0u; }

// A front and a back that do not belong together, in the list of their column.
struct Pair {
  uint next;    // as in heads
  uint column;  // with kDropped where the published method has no room for it
  uint front_object, front_face;  // kNobody: the back's object is inside out here
  float front_depth;
  uint back_object, back_face;
  float back_depth;
};

layout(std430, binding = 2) restrict buffer Counters {
  uint pair_count;   // of a round, even if there was no room
  uint point_count;  // of all rounds, likewise
  uint out_count;
  uint passed_over;  // published: pairs that the complete method would have recorded
  uint open_columns, occupied_columns, inside_out_columns;
  uint padding;
  uint incomplete[];  // per object: 1 where a walk over the layers ended too early
};
// For every column: the sum of its objects' numbers, one of these objects plus 1 (see pairs_sum.frag), flags, and its
// first pair plus 1.
layout(std430, binding = 3) restrict buffer Columns { uint column_words[]; };

const uint kNobody = ~0u;
const uint kDropped = 0x80000000u;
const uint kShared = 1u;  // the column has two objects or more: other columns can be skipped
const uint kInsideOut = 2u;

uint sum_at(uint column) { return column; }
uint owner_at(uint column) { return column_count + column; }
uint flags_at(uint column) { return 2u * column_count + column; }
uint head_at(uint column) { return 3u * column_count + column; }

bool shared_at(uint column) { return (column_words[flags_at(column)] & kShared) != 0u; }
