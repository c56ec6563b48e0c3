// Collision points: this face and a front or back of its column's pairs, of another object and close to it. As
// published: this face lies between the round's first and third layer, and is compared with all three, which it must not
// be before, and with the backs of pairs, which it must not be behind.

layout(std430, binding = 0) restrict readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 1) restrict writeonly buffer Points { Point points[]; };

bool is_near(float depth, float other_depth, bool front) {
  float apart = abs(depth - other_depth);
  if (!asked(kPublished)) return apart <= threshold;
  return apart < threshold && (front ? other_depth <= depth : depth <= other_depth);
}

void meet(float depth, uint other, uint other_face, float other_depth, bool front) {
  if (other == object || !is_near(depth, other_depth, front)) return;
  if (max(depth, other_depth) < 0.0 || min(depth, other_depth) > box_depth) return;  // outside this box
  uint candidate = candidate_of(object, other);
  if (candidate == kNoCandidate || !points_wanted(candidate)) return;
  uint place = atomicAdd(point_count, 1u);
  if (place >= point_capacity) return;
  float here = clamp(depth, 0.0, box_depth), there = clamp(other_depth, 0.0, box_depth);
  uint round = uint(first) / 2u;
  if (object < other)
    points[place] = Point(column(), (gl_FrontFacing ? 1u : 0u) | (front ? 2u : 0u) | candidate << 2, face, other_face,
                          here, there, round, 0u);
  else
    points[place] = Point(column(), (front ? 1u : 0u) | (gl_FrontFacing ? 2u : 0u) | candidate << 2, other_face, face,
                          there, here, round, 0u);
}

void meet_layers(float depth) {
  float z = coded(depth);
  vec4 fronts[3];
  for (int l = 0; l < 3; ++l) fronts[l] = texelFetch(layers, ivec3(cell(), (first + l) % slices), 0);
  if (z < coded(fronts[0]) || z > coded(fronts[2])) return;
  for (int l = 0; l < 3; ++l)
    if (fronts[l].r >= 0.0) meet(depth, uint(fronts[l].r), face_of(fronts[l]), fronts[l].g, true);
}

void main() {
  if (outside_window()) return;
  uint node = column_words[head_at(column())];
  if (node == 0u) return;
  float depth = crossing_depth(slot, cell());
  if (asked(kPublished)) meet_layers(depth);
  for (; node != 0u; node = pairs[node - 1u].next) {
    Pair pair = pairs[node - 1u];
    if ((pair.column & kDropped) != 0u) continue;
    if (!asked(kPublished)) meet(depth, pair.front_object, pair.front_face, pair.front_depth, true);
    meet(depth, pair.back_object, pair.back_face, pair.back_depth, false);
  }
}
