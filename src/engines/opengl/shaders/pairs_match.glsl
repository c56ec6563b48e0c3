// Which two objects are a candidate pair.

// The number of objects n, the first candidate of each and the end of the last, then for each candidate its second
// object times 2, plus 1 where its collision points are wanted.
layout(std430, binding = 7) restrict readonly buffer Matches { uint matches[]; };

const uint kNoCandidate = ~0u;

uint match_of(uint candidate) { return matches[matches[0] + 2u + candidate]; }
bool points_wanted(uint candidate) { return (match_of(candidate) & 1u) != 0u; }

uint candidate_of(uint i, uint j) {
  uint a = min(i, j), b = max(i, j);
  uint low = matches[1u + a], end = matches[2u + a], high = end;
  while (low < high) {
    uint middle = (low + high) / 2u;
    if (match_of(middle) >> 1 < b)
      low = middle + 1u;
    else
      high = middle;
  }
  return low < end && match_of(low) >> 1 == b ? low : kNoCandidate;
}
