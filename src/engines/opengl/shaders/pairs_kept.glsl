// The faces that pairs_cull.comp kept. A block of 256 faces has 256 slots and uses the first of them, one for each face
// it kept. The corners are gathered here and not when drawing: a GPU may have many more units for compute than it uses
// for drawing. KEPT is the access qualifier of a shader.

layout(std430, binding = 4) restrict KEPT buffer Kept { uvec4 kept[]; };        // face, object, window
layout(std430, binding = 5) restrict KEPT buffer Corners { float corners[]; };  // nine to a slot: u, v, w

vec3 corner_of(uint slot, uint i) {
  uint at = 9u * slot + 3u * i;
  return vec3(corners[at], corners[at + 1u], corners[at + 2u]);
}

// First and end of a packed window: u in the lower 16 bits, v in the upper.
uvec4 unpacked(uvec2 window) { return uvec4(window.x & 0xffffu, window.x >> 16, window.y & 0xffffu, window.y >> 16); }
