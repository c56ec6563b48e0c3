// Puts every collision point into the list of its column.

layout(local_size_x = 256) in;

layout(std430, binding = 1) restrict buffer Points { Point points[]; };

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i < point_count) points[i].next = atomicExchange(column_words[head_at(points[i].column)], i + 1u);
}
