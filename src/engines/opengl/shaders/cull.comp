// Keeps the triangles that may cover a sample: writes a shorter list and the command to draw it. In a large mesh most
// triangles fall between samples, and a GPU's compute units find that much faster than its rasteriser.
//
// A triangle is dropped only when its box, widened by more than the driver moves a vertex, contains no sample, so the
// drawn result is the same. Triangles that reach beyond the lattice are also dropped; they are counted.

layout(local_size_x = 256) in;

layout(std430, binding = 3) restrict writeonly buffer Kept { uint kept[]; };
layout(std430, binding = 4) restrict buffer Command {
  uint index_count, instance_count, first_index, base_vertex, base_instance;
  uint far_triangles;
};
layout(location = 0) uniform uint triangle_count;
layout(location = 1) uniform float margin;  // pixels

const float kLatticeLimit = 1152921504606846976.0;  // 2^60, as in core/lattice.hpp

shared uint group_count, group_first;

vec3 place(uint vertex) {
  vec3 p = vec3(positions[3u * vertex + axes.x], positions[3u * vertex + axes.y], positions[3u * vertex + axes.z]);
  vec3 q = p - origin;
  return vec3(q.xy * scale * (0.5 * vec2(columns, rows)), q.z);
}

bool on_lattice(vec3 p) {
  vec2 at = abs(p.xy) * (lattice_scale / (scale * (0.5 * vec2(columns, rows))));
  return at.x < kLatticeLimit && at.y < kLatticeLimit;
}

bool may_cover(uvec3 t) {
  vec3 a = place(t.x), b = place(t.y), c = place(t.z);
  if (!(on_lattice(a) && on_lattice(b) && on_lattice(c))) {
    atomicAdd(far_triangles, 1u);
    return false;
  }
  vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
  // Samples lie at half-integer coordinates.
  vec2 first = max(ceil(low.xy - (0.5 + margin)), vec2(0.0));
  vec2 last = min(floor(high.xy + (margin - 0.5)), vec2(columns, rows) - 1.0);
  bool beyond = cut != 0u && (high.z < 0.0 || low.z > box_depth);
  return first.x <= last.x && first.y <= last.y && !beyond;
}

void main() {
  if (gl_LocalInvocationID.x == 0u) group_count = 0u;
  barrier();
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uvec3 t = uvec3(0u);
  bool stays = false;
  if (i < triangle_count) {
    t = uvec3(triangles[3u * i], triangles[3u * i + 1u], triangles[3u * i + 2u]);
    stays = may_cover(t);
  }
  uint place_in_group = stays ? atomicAdd(group_count, 1u) : 0u;
  barrier();
  if (gl_LocalInvocationID.x == 0u && group_count != 0u) group_first = atomicAdd(index_count, 3u * group_count);
  barrier();
  if (!stays) return;
  uint at = group_first + 3u * place_in_group;
  kept[at] = t.x;
  kept[at + 1u] = t.y;
  kept[at + 2u] = t.z;
}
