// As cull.comp, for the objects of a group: keeps the faces of each block that may cover a sample of their object's
// window.

layout(std430, binding = 0) restrict readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) restrict readonly buffer Triangles { uint triangles[]; };
layout(std430, binding = 2) restrict readonly buffer Blocks { uvec4 blocks[]; };  // object, nothing, window
layout(std430, binding = 3) restrict buffer Skipped { uint skipped[]; };  // per object: faces that cannot be placed
layout(location = 1) uniform float margin;  // pixels

const uint kNoTriangle = ~0u;                       // fills an object's last block
const uint kMaxCoordinate = 0x71800000u;            // bits of 2^100, as in core/lattice.hpp
const float kLatticeLimit = 1152921504606846976.0;  // 2^60, as there

shared uint group_count;
bool usable = true;

vec3 fetch(uint vertex) {
  return vec3(positions[3u * vertex + axes.x], positions[3u * vertex + axes.y], positions[3u * vertex + axes.z]);
}

vec2 place(vec3 p) {
  // Compared as bits: compilers may assume that there is no NaN.
  if (any(greaterThan(floatBitsToUint(p) & 0x7fffffffu, uvec3(kMaxCoordinate)))) usable = false;
  vec2 q = p.xy - origin.xy;
  vec2 at = abs(q) * lattice_scale;
  if (!(at.x < kLatticeLimit && at.y < kLatticeLimit)) usable = false;
  return q * scale * (0.5 * vec2(columns, rows));
}

bool may_cover(vec3 p[3], uvec4 block) {
  vec2 a = place(p[0]), b = place(p[1]), c = place(p[2]);
  if (!usable) {
    atomicAdd(skipped[block.x], 1u);
    return false;
  }
  vec4 ends = vec4(unpacked(block.zw));
  // Samples lie at half-integer coordinates.
  vec2 first = max(ceil(min(a, min(b, c)) - (0.5 + margin)), ends.xy);
  vec2 last = min(floor(max(a, max(b, c)) + (margin - 0.5)), ends.zw - 1.0);
  return first.x <= last.x && first.y <= last.y;
}

void main() {
  if (gl_LocalInvocationID.x == 0u) group_count = 0u;
  barrier();
  uint number = block_number(), i = number * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (number < block_count) {
    uvec4 block = blocks[number];
    uvec3 t = uvec3(triangles[3u * i], triangles[3u * i + 1u], triangles[3u * i + 2u]);
    vec3 p[3];
    bool stays = t.x != kNoTriangle;
    if (stays) {
      p = vec3[3](fetch(t.x), fetch(t.y), fetch(t.z));
      stays = may_cover(p, block);
    }
    if (stays) {
      uint slot = number * gl_WorkGroupSize.x + atomicAdd(group_count, 1u);
      kept[slot] = uvec4(i, block.x, block.zw);
      chosen[slot] = slot;
      for (uint k = 0u; k < 3u; ++k) {
        corners[9u * slot + 3u * k] = p[k].x;
        corners[9u * slot + 3u * k + 1u] = p[k].y;
        corners[9u * slot + 3u * k + 2u] = p[k].z;
      }
    }
  }
  barrier();
  if (gl_LocalInvocationID.x == 0u && number < block_count) states[number] = Block(group_count, group_count, 0u, 0u);
}
