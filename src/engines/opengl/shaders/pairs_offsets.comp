// Where each block's chosen slots begin in the list, and the command to draw them all. One work group does it; each
// invocation handles a run of blocks.

layout(std430, binding = 0) restrict writeonly buffer Command { uint count, instance_count, first, base_instance; };

shared uint sums[gl_WorkGroupSize.x];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint run = (block_count + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  uint begin = min(lane * run, block_count), end = min(begin + run, block_count);
  uint sum = 0u;
  for (uint i = begin; i < end; ++i) sum += states[i].chosen;
  sums[lane] = sum;
  barrier();
  for (uint step = 1u; step < gl_WorkGroupSize.x; step *= 2u) {
    uint before = lane >= step ? sums[lane - step] : 0u;
    barrier();
    sums[lane] += before;
    barrier();
  }
  uint place = sums[lane] - sum;
  for (uint i = begin; i < end; ++i) {
    states[i].first = place;
    place += states[i].chosen;
  }
  if (lane != gl_WorkGroupSize.x - 1u) return;
  count = 3u * sums[lane];
  instance_count = 1u;
  first = 0u;
  base_instance = 0u;
}
