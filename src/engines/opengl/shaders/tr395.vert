// The rendering setup of TR 395: orthographic projection of the box, near plane on the outside face. Unlike
// sample.vert, depth is interpolated by OpenGL, and clipped at the near and the far plane, as published.

layout(location = 0) in vec3 position;

layout(location = 0) uniform float near;       // coordinate of the near plane along the rays
layout(location = 1) uniform float direction;  // of view along the ray axis: 1 or -1
layout(location = 2) uniform float z_range;    // distance to clip space
layout(location = 3) uniform float sub_steps;  // of the driver's sub-pixel lattice in a pixel

invariant gl_Position;

void main() {
  precise vec2 q = vec2(position[axes.x], position[axes.y]) - origin.xy;
  // Layers are drawn into regions of one image. A region's offset costs bits of a vertex's place in it. Vertices that
  // lie on the driver's lattice already are rounded to the same point in every region.
  vec2 size = vec2(columns, rows);
  precise vec2 pixel = roundEven(q * scale * 0.5 * size * sub_steps) / sub_steps;
  precise float distance = (position[axes.z] - near) * direction;
  precise float z = distance * z_range - 1.0;  // exactly -1 on the near plane, and at most 1 on the far plane
  gl_Position = vec4(pixel * 2.0 / size - 1.0, z, 1.0);
}
