// The collision points for the host: of pairs that have a span somewhere, and each once. Each of two faces finds the
// other, once for every pair of either, in every round that has one. A ray crosses a face once, so the two faces
// identify a point; of its depths, which come from different programs, the least stay. As published: a texel has room
// for one point of a round. The paper does not say which one stays; here it is the nearest.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict writeonly buffer Out { uint out_words[]; };
layout(std430, binding = 1) restrict readonly buffer Points { Point points[]; };
layout(std430, binding = 6) restrict readonly buffer Sums { uint sums[]; };  // see pairs_report.comp

const uint kSumWords = 9u;

bool has_span(Point p) { return sums[kSumWords * (p.code >> 2)] != 0u; }

vec2 depths_of(Point p) {
  vec2 depths = vec2(p.depth_a, p.depth_b);
  return asked(kPublished) ? vec2(min(depths.x, depths.y), max(depths.x, depths.y)) : depths;
}

// Whether point j stays rather than point i.
bool comes_first(Point p, uint j, Point q, uint i) {
  vec2 x = depths_of(p), y = depths_of(q);
  if (x.x != y.x) return x.x < y.x;
  if (x.y != y.y) return x.y < y.y;
  if (p.face_a != q.face_a) return p.face_a < q.face_a;
  if (p.face_b != q.face_b) return p.face_b < q.face_b;
  return j < i;
}

bool same(Point p, Point q) {
  if (asked(kPublished)) return p.round == q.round;
  return p.face_a == q.face_a && p.face_b == q.face_b;
}

bool stays(Point p, uint i) {
  if (asked(kKeepDoubles)) return true;
  for (uint node = column_words[head_at(p.column)]; node != 0u; node = points[node - 1u].next) {
    uint j = node - 1u;
    if (j != i && same(points[j], p) && has_span(points[j]) && comes_first(points[j], j, p, i))
      return false;
  }
  return true;
}

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= point_count) return;
  Point p = points[i];
  if (!has_span(p) || !stays(p, i)) return;
  uint at = 6u * atomicAdd(out_count, 1u);
  out_words[at] = p.column;
  out_words[at + 1u] = p.code;
  out_words[at + 2u] = p.face_a;
  out_words[at + 3u] = p.face_b;
  out_words[at + 4u] = floatBitsToUint(p.depth_a);
  out_words[at + 5u] = floatBitsToUint(p.depth_b);
}
