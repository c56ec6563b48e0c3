// One layer of front faces: the nearest behind the previous layer that belongs to another object. At equal depth,
// objects are ordered by number: the depth test keeps the first that is drawn, and objects are drawn in order. As
// published: only what is deeper.

layout(location = 0) uniform int previous;  // slice of the previous layer; -1: there is none
layout(location = 0) out vec4 layer;

void main() {
  if (outside_window() || !shared_at(column())) discard;
  vec4 before = vec4(-1.0);
  if (previous >= 0) {
    before = texelFetch(layers, ivec3(cell(), previous), 0);
    if (before.r < 0.0 || before.r == float(object)) discard;
  }
  float depth = crossing_depth(slot, cell());
  float z = coded(depth);
  if (previous >= 0) {
    float z_before = coded(before.g);
    if (z < z_before || (z == z_before && (asked(kPublished) || float(object) < before.r))) discard;
  }
  gl_FragDepth = z;
  layer = vec4(float(object), depth, float(face & 0xffffu), float(face >> 16));
}
