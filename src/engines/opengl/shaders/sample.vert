// Every engine draws a mesh the same way: the grid's cells become pixels. Depth is not interpolated on the way; see
// crossing.glsl.

layout(location = 0) in vec3 position;

invariant gl_Position;

void main() {
  precise vec2 q = vec2(position[axes.x], position[axes.y]) - origin.xy;
  gl_Position = vec4(q * scale - 1.0, 0.0, 1.0);
}
