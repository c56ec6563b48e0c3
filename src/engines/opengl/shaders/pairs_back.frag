// Inconsistent pairs: a back face, and the fronts of other objects between it and the last front of its own object.

layout(std430, binding = 0) restrict writeonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 1) restrict writeonly buffer Out { Pair out_pairs[]; };  // the same, for the host

vec4 layer(int l) { return texelFetch(layers, ivec3(cell(), l % slices), 0); }

void record(vec4 front, float depth) {
  precise float length = clamp(depth, 0.0, box_depth) - clamp(front.g, 0.0, box_depth);
  if (!(length > thickness)) return;
  uint place = atomicAdd(pair_count, 1u);
  if (place >= pair_capacity) return;
  Pair made = Pair(0u, column(), uint(front.r), face_of(front), front.g, object, face, depth);
  out_pairs[place] = made;
  made.next = atomicExchange(column_words[head_at(column())], place + 1u);
  pairs[place] = made;
}

// The object has no front before this back: it is inside out there. Exceptions: the column is open anyway, or the ray
// only grazes the object and its front is at the same depth, maybe behind layers of other objects that this round does
// not have. Reports it to the host, which then ignores the object in this column.
void inside_out(float depth) {
  for (int l = first; l < first + 3; ++l) {
    vec4 front = layer(l);
    if (front.r >= 0.0 && front.g - depth <= thickness && (front.r == float(object) || l == first + 2)) return;
  }
  uint at = column();
  if (column_words[sum_at(at)] != 0u) return;
  uint before = atomicOr(column_words[flags_at(at)], kInsideOut);
  if ((before & kInsideOut) == 0u) atomicAdd(inside_out_columns, 1u);
  uint place = atomicAdd(pair_count, 1u);
  if (place < pair_capacity) out_pairs[place] = Pair(0u, at, kNobody, 0u, 0.0, object, face, depth);
}

void main() {
  if (outside_window() || !shared_at(column())) return;
  vec4 nearest = layer(first);
  if (first > 0 && nearest.r < 0.0) return;
  float depth = crossing_depth(slot, cell());
  float z = coded(depth);
  if (!(z > coded(nearest))) {
    if (first == 0) inside_out(depth);
    return;  // belongs to an earlier round
  }
  int last = first;
  vec4 second = layer(first + 1);
  if (z > coded(second)) {
    if (z > coded(layer(first + 2))) return;  // belongs to a later round
    last = first + 1;
    nearest = second;
  }
  if (nearest.r == float(object)) return;
  int own = last - 1;
  while (own >= oldest && layer(own).r != float(object)) --own;
  if (own < oldest) {
    if (oldest == 0) {
      inside_out(depth);
      return;
    }
    incomplete[object] = 1u;
  }
  for (int l = last; l > own; --l) record(layer(l), depth);
}
