// Walks every column. PAIR: where the windings of both meshes are at least 1. SELF: where the winding is at least 2,
// and separately where it is below 0. HEALTH: no spans. Runs first without WRITE, for the sums and the number of spans;
// then with it, to write the spans.

layout(local_size_x = 128) in;

layout(std430, binding = 4) restrict buffer Counts { uvec2 counts[]; };  // spans of a column: overlap, inside out
#ifdef WRITE
layout(std430, binding = 5) restrict writeonly buffer Spans { uint spans[]; };             // column, begin, end
layout(std430, binding = 6) restrict writeonly buffer InsideOut { uint inside_out_spans[]; };
shared uvec2 places[gl_WorkGroupSize.x];
#else
shared Sums partial[gl_WorkGroupSize.x];
#endif

Sums mine;
uint column;
uint next_span, next_inside_out;

void emit_overlap(float begin, float end) {
#ifdef WRITE
  uint at = next_span++;
  if (at < span_capacity) {
    spans[3u * at] = column;
    spans[3u * at + 1u] = floatBitsToUint(begin);
    spans[3u * at + 2u] = floatBitsToUint(end);
  }
#else
  double length = double(end) - double(begin);
  uint u = column % columns, v = column / columns;
  mine.length += length;
  mine.moment_u += (double(u) + 0.5LF) * length;
  mine.moment_v += (double(v) + 0.5LF) * length;
  mine.moment_w += 0.5LF * length * (double(begin) + double(end));
  mine.low_u = mine.high_u = u;
  mine.low_v = mine.high_v = v;
  mine.low = min(mine.low, begin);
  mine.high = max(mine.high, end);
  ++mine.spans;
#endif
}

void emit_inside_out(float begin, float end) {
#ifdef WRITE
  uint at = next_inside_out++;
  if (at < inside_out_capacity) {
    inside_out_spans[3u * at] = column;
    inside_out_spans[3u * at + 1u] = floatBitsToUint(begin);
    inside_out_spans[3u * at + 2u] = floatBitsToUint(end);
  }
#else
  mine.inside_out_length += double(end) - double(begin);
  mine.inside_out_columns = 1u;
  ++mine.inside_out_spans;
#endif
}

// Adjacent stretches form one span; x and y are its ends so far, or -1.
vec2 overlap = vec2(-1.0), inside_out = vec2(-1.0);

void close_overlap() {
  if (overlap.y - overlap.x > thickness) emit_overlap(overlap.x, overlap.y);
  overlap = vec2(-1.0);
}

void close_inside_out() {
  if (inside_out.y - inside_out.x > thickness) emit_inside_out(inside_out.x, inside_out.y);
  inside_out = vec2(-1.0);
}

void stretch(float from, float to, int a, int b) {
#if defined(PAIR)
  bool overlaps = a >= 1 && b >= 1;
  if ((a < 0 || b < 0) && to - from > thickness) mine.inside_out_columns = 1u;
#elif defined(SELF)
  bool overlaps = a >= 2;
  if (a < 0) {
    if (from != inside_out.y) {
      close_inside_out();
      inside_out.x = from;
    }
    inside_out.y = to;
  }
#else
  bool overlaps = false;
  if (a < 0 && to - from > thickness) mine.inside_out_columns = 1u;
#endif
  if (!overlaps) return;
  if (from != overlap.y) {
    close_overlap();
    overlap.x = from;
  }
  overlap.y = to;
}

int balance(uint node) {
  int sum = 0;
  for (; node != 0u; node = nodes[node - 1u].next) sum += key_sign(nodes[node - 1u].key);
  return sum;
}

void sweep(uint a, uint b) {
  int winding_a = 0, winding_b = 0;
  float from = 0.0;
  while (a != 0u || b != 0u) {
    uint key_a = a != 0u ? nodes[a - 1u].key : ~0u;
    uint key_b = b != 0u ? nodes[b - 1u].key : ~0u;
    bool take_a = key_a <= key_b;
    uint key = take_a ? key_a : key_b;
    float to = key_depth(key);
    if (to > from) stretch(from, to, winding_a, winding_b);
    if (take_a) {
      winding_a += key_sign(key);
      a = nodes[a - 1u].next;
    } else {
      winding_b += key_sign(key);
      b = nodes[b - 1u].next;
    }
    from = to;
  }
  if (box_depth > from) stretch(from, box_depth, winding_a, winding_b);
  close_overlap();
  close_inside_out();
}

void visit() {
  uint a = heads[column];
#ifdef PAIR
  uint b = heads[second + column];
#else
  uint b = 0u;
#endif
  if (a == 0u && b == 0u) return;
  mine.occupied_columns = 1u;
  if (balance(a) != 0 || balance(b) != 0) {
    mine.open_columns = 1u;
    return;
  }
#ifdef PAIR
  if (a == 0u || b == 0u) return;  // no crossings: outside everywhere
#endif
  sweep(a, b);
}

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint lane = gl_LocalInvocationID.x;
  column = group * gl_WorkGroupSize.x + lane;
  bool valid = column < column_count;
  mine = no_sums();
#ifdef WRITE
  // This column's spans go after those of the earlier columns in the group.
  uvec2 count = valid ? counts[column] : uvec2(0u);
  places[lane] = count;
  barrier();
  for (uint step = 1u; step < gl_WorkGroupSize.x; step *= 2u) {
    uvec2 before = lane >= step ? places[lane - step] : uvec2(0u);
    barrier();
    places[lane] += before;
    barrier();
  }
  if (count == uvec2(0u)) return;
  uvec2 place = places[lane] - count;
  next_span = groups[group].spans + place.x;
  next_inside_out = groups[group].inside_out_spans + place.y;
  visit();
#else
  if (valid) {
    visit();
    counts[column] = uvec2(mine.spans, mine.inside_out_spans);
  }
  partial[lane] = mine;
  for (uint half_size = gl_WorkGroupSize.x / 2u; half_size > 0u; half_size /= 2u) {
    barrier();
    if (lane < half_size) partial[lane] = merged(partial[lane], partial[lane + half_size]);
  }
  if (lane == 0u && group < group_count) groups[group] = partial[0];
#endif
}
