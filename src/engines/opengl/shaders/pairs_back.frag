// Inconsistent pairs: a back face, and the fronts of other objects between it and the last front of its own object. As
// published: only the nearest of them; the others are counted.

layout(std430, binding = 0) restrict writeonly buffer Pairs { Pair pairs[]; };

vec4 layer(int l) { return texelFetch(layers, ivec3(cell(), l % slices), 0); }

bool is_thick(vec4 front, float depth) {
  precise float length = clamp(depth, 0.0, box_depth) - clamp(front.g, 0.0, box_depth);
  return length > thickness;
}

void record(vec4 front, float depth) {
  if (!is_thick(front, depth)) return;
  uint place = atomicAdd(pair_count, 1u);
  if (place >= pair_capacity) return;
  uint next = atomicExchange(column_words[head_at(column())], place + 1u);
  pairs[place] = Pair(next, column(), uint(front.r), face_of(front), front.g, object, face, depth);
}

// How many layers from `last` on, towards the viewer, the complete method would have recorded. At least one where the
// object's own front is not among them: it may be at the depth of another, which the published peeling drops.
uint layers_before(int last, float depth) {
  uint count = 0u;
  int l = last;
  for (; l >= oldest && layer(l).r != float(object); --l)
    if (is_thick(layer(l), depth)) ++count;
  return l < oldest ? max(count, 1u) : count;
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
  if (place < pair_capacity) pairs[place] = Pair(0u, at, kNobody, 0u, 0.0, object, face, depth);
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
  if (asked(kPublished)) {
    record(nearest, depth);
    uint passed = layers_before(last - 1, depth);
    if (passed != 0u) atomicAdd(passed_over, passed);
    return;
  }
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
