// One flag per point, four points at a time: a flag is a byte. A point's column need not be sorted: the winding at the
// point's depth is the sum of the signs before it.

layout(local_size_x = 64) in;

layout(std430, binding = 5) restrict readonly buffer Points { float points[]; };
layout(std430, binding = 6) restrict writeonly buffer Flags { uint flags[]; };

shared uint group_inside, group_untrusted;

// 1: inside; 2: in a column that does not close, or where the mesh is inside out; else 0.
uint classify(uint i) {
  vec3 world = vec3(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
  precise vec3 p = vec3(world[axes.x], world[axes.y], world[axes.z]) - origin;
  precise vec2 cell = p.xy * vec2(cells_per_u, cells_per_v);
  bool within = cell.x >= 0.0 && cell.y >= 0.0 && cell.x < float(columns) && cell.y < float(rows) && p.z >= 0.0 &&
                p.z <= box_depth;
  if (!within) return 0u;
  uint here = floatBitsToUint(p.z + 0.0) << 1;
  int before = 0, sum = 0;
  for (uint node = heads[uint(cell.y) * columns + uint(cell.x)]; node != 0u; node = nodes[node - 1u].next) {
    uint key = nodes[node - 1u].key;
    sum += key_sign(key);
    if (key < here) before += key_sign(key);
  }
  return sum != 0 || before < 0 ? 2u : before > 0 ? 1u : 0u;
}

void main() {
  if (gl_LocalInvocationID.x == 0u) group_inside = group_untrusted = 0u;
  barrier();
  uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint first = 4u * word, last = min(first + 4u, point_count);
  uint word_flags = 0u, here = 0u, lost = 0u;
  for (uint i = first; i < last; ++i) {
    uint kind = classify(i);
    word_flags |= kind << (8u * (i - first));
    here += kind & 1u;
    lost += kind >> 1;
  }
  if (first < point_count) flags[word] = word_flags;
  if (here != 0u) atomicAdd(group_inside, here);
  if (lost != 0u) atomicAdd(group_untrusted, lost);
  barrier();
  if (gl_LocalInvocationID.x == 0u) {
    if (group_inside != 0u) atomicAdd(inside, group_inside);
    if (group_untrusted != 0u) atomicAdd(untrusted, group_untrusted);
  }
}
