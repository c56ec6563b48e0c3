// What the host gets of a round's pairs: the sums of each candidate's spans and, where asked for, the pairs themselves.
// Nothing while there was too little room: the round is then repeated.
//
// Sums are integers, so that their order does not matter: lengths and depths in units of 2^-20 of the box's depth. Most
// pairs of a work group are of one candidate, whose sums are made in shared memory first.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 1) restrict writeonly buffer Out { Pair out_pairs[]; };
layout(std430, binding = 6) restrict buffer Sums { uint sums[]; };  // kSumWords for each candidate

const uint kSumWords = 9u;  // spans; length, and length times column, row and depth, each in two words
const float kUnits = 1048576.0;

shared uint leader;
shared uint group_sums[kSumWords];

// To the two words at `at`.
void add_shared(uint at, uint low, uint high) {
  uint before = atomicAdd(group_sums[at], low);
  if (before + low < before) ++high;
  if (high != 0u) atomicAdd(group_sums[at + 1u], high);
}
void add_global(uint at, uint low, uint high) {
  uint before = atomicAdd(sums[at], low);
  if (before + low < before) ++high;
  if (high != 0u) atomicAdd(sums[at + 1u], high);
}

void add(bool leads, uint candidate, uint factors[4], uint units) {
  for (uint k = 0u; k < 4u; ++k) {
    uint low, high;
    umulExtended(units, factors[k], high, low);
    if (leads)
      add_shared(1u + 2u * k, low, high);
    else
      add_global(kSumWords * candidate + 1u + 2u * k, low, high);
  }
  if (leads)
    atomicAdd(group_sums[0], 1u);
  else
    atomicAdd(sums[kSumWords * candidate], 1u);
}

uint in_units(float depth) { return uint(clamp(depth / box_depth, 0.0, 1.0) * kUnits + 0.5); }

void main() {
  uint lane = gl_LocalInvocationID.x;
  if (lane < kSumWords) group_sums[lane] = 0u;
  if (lane == 0u) leader = kNoCandidate;
  barrier();
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + lane;
  bool fits = pair_count <= pair_capacity && point_count <= point_capacity;
  uint candidate = kNoCandidate;
  Pair pair;
  if (fits && i < pair_count) {
    pair = pairs[i];
    bool dropped = (pair.column & kDropped) != 0u;
    if (asked(kKeepSpans)) out_pairs[i] = pair;
    if (!dropped && pair.front_object != kNobody) candidate = candidate_of(pair.front_object, pair.back_object);
    if (candidate != kNoCandidate) atomicMin(leader, candidate);
  }
  barrier();
  if (candidate != kNoCandidate) {
    uint begin = in_units(pair.front_depth), end = in_units(pair.back_depth);
    uint factors[4] = uint[4](1u, pair.column % columns, pair.column / columns, (begin + end) / 2u);
    add(candidate == leader, candidate, factors, max(end - min(begin, end), 1u));
  }
  barrier();
  if (leader == kNoCandidate) return;
  if (lane < 4u)
    add_global(kSumWords * leader + 1u + 2u * lane, group_sums[1u + 2u * lane], group_sums[2u + 2u * lane]);
  if (lane == 4u) atomicAdd(sums[kSumWords * leader], group_sums[0]);
}
