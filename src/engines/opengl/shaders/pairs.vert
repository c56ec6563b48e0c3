// Draws listed faces, and passes their object on. Positions as in sample.vert.

layout(std430, binding = 6) restrict readonly buffer Listed { uint listed[]; };  // slots

flat out uint slot;
flat out uint face;
flat out uint object;
flat out uvec2 window;

invariant gl_Position;

void main() {
  uint i = uint(gl_VertexID);
  slot = listed[i / 3u];
  uvec4 info = kept[slot];
  face = info.x;
  object = info.y;
  window = info.zw;
  precise vec2 q = corner_of(slot, i % 3u).xy - origin.xy;
  gl_Position = vec4(q * scale - 1.0, 0.0, 1.0);
}
