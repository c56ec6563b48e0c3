// Collision points: this face and a front or back of its column's pairs, of another object and close to it.

struct Point {
  uint column, facing;  // bit 0: this face is a front, bit 1: the other is
  uint face, other_face;
  float depth, other_depth;
};

layout(std430, binding = 0) restrict readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 1) restrict writeonly buffer Out { Point points[]; };

void meet(float depth, uint other, uint other_face, float other_depth, bool front) {
  if (other == object || !(abs(depth - other_depth) <= threshold)) return;
  if (max(depth, other_depth) < 0.0 || min(depth, other_depth) > box_depth) return;  // outside this box
  uint place = atomicAdd(out_count, 1u);
  if (place >= out_capacity) return;
  points[place] =
      Point(column(), (gl_FrontFacing ? 1u : 0u) | (front ? 2u : 0u), face, other_face, depth, other_depth);
}

void main() {
  if (outside_window()) return;
  uint node = column_words[head_at(column())];
  if (node == 0u) return;
  float depth = crossing_depth(slot, cell());
  for (; node != 0u; node = pairs[node - 1u].next) {
    Pair pair = pairs[node - 1u];
    meet(depth, pair.front_object, pair.front_face, pair.front_depth, true);
    meet(depth, pair.back_object, pair.back_face, pair.back_depth, false);
  }
}
