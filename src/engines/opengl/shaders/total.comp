// Adds up the work groups' sums, and turns their span counts into offsets. One work group does it all; each invocation
// handles a run of groups.

layout(local_size_x = 256) in;

shared Sums partial[gl_WorkGroupSize.x];
shared uvec2 places[gl_WorkGroupSize.x];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint run = (group_count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  uint begin = min(lane * run, group_count), end = min(begin + run, group_count);
  Sums mine = no_sums();
  for (uint i = begin; i < end; ++i) mine = merged(mine, groups[i]);
  partial[lane] = mine;
  places[lane] = uvec2(mine.spans, mine.inside_out_spans);
  barrier();
  for (uint step = 1u; step < gl_WorkGroupSize.x; step *= 2u) {
    uvec2 before = lane >= step ? places[lane - step] : uvec2(0u);
    barrier();
    places[lane] += before;
    barrier();
  }
  uvec2 place = places[lane] - uvec2(mine.spans, mine.inside_out_spans);
  for (uint i = begin; i < end; ++i) {
    uvec2 count = uvec2(groups[i].spans, groups[i].inside_out_spans);
    groups[i].spans = place.x;
    groups[i].inside_out_spans = place.y;
    place += count;
  }
  for (uint half_size = gl_WorkGroupSize.x / 2u; half_size > 0u; half_size /= 2u) {
    barrier();
    if (lane < half_size) partial[lane] = merged(partial[lane], partial[lane + half_size]);
  }
  if (lane == 0u) total = partial[0];
}
