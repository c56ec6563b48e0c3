// Writes the chosen slots of all blocks one after another.

layout(std430, binding = 0) restrict writeonly buffer Listed { uint listed[]; };

void main() {
  uint number = block_number(), lane = gl_LocalInvocationID.x;
  if (number >= block_count || lane >= states[number].chosen) return;
  listed[states[number].first + lane] = chosen[number * gl_WorkGroupSize.x + lane];
}
