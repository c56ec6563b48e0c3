// Chooses from the kept faces those that a round has to draw: faces that may cover a column of interest to the round.
// In the first round these are the columns with two objects, later those with the round's first layer.

layout(std430, binding = 0) restrict readonly buffer Blocks { uvec4 blocks[]; };  // object, nothing, window
layout(location = 1) uniform float margin;  // pixels
layout(location = 2) uniform ivec2 two;     // the only objects to draw; -1: all

const float kMostCells = 256.0;  // a face that covers more is drawn without a test

shared uint group_count;

bool looked_at(uvec2 at) {
  if (first == 0) return shared_at(at.y * columns + at.x);
  return texelFetch(layers, ivec3(at, first % slices), 0).r >= 0.0;
}

bool needed(uint slot, uvec4 block) {
  vec2 to_cells = scale * (0.5 * vec2(columns, rows));
  vec2 a = (corner_of(slot, 0u).xy - origin.xy) * to_cells;
  vec2 b = (corner_of(slot, 1u).xy - origin.xy) * to_cells;
  vec2 c = (corner_of(slot, 2u).xy - origin.xy) * to_cells;
  vec4 ends = vec4(unpacked(block.zw));
  vec2 from = max(ceil(min(a, min(b, c)) - (0.5 + margin)), ends.xy);
  vec2 last = min(floor(max(a, max(b, c)) + (margin - 0.5)), ends.zw - 1.0);
  vec2 size = last - from + 1.0;
  if (size.x * size.y > kMostCells) return true;
  uvec2 low = uvec2(from), high = uvec2(last);
  for (uint v = low.y; v <= high.y; ++v)
    for (uint u = low.x; u <= high.x; ++u)
      if (looked_at(uvec2(u, v))) return true;
  return false;
}

void main() {
  if (gl_LocalInvocationID.x == 0u) group_count = 0u;
  barrier();
  uint number = block_number(), slot = number * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (number < block_count && gl_LocalInvocationID.x < states[number].kept) {
    uvec4 block = blocks[number];
    bool wanted = two.x < 0 || int(block.x) == two.x || int(block.x) == two.y;
    if (wanted && needed(slot, block))
      chosen[number * gl_WorkGroupSize.x + atomicAdd(group_count, 1u)] = slot;
  }
  barrier();
  if (gl_LocalInvocationID.x == 0u && number < block_count) states[number].chosen = group_count;
}
