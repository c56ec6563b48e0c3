// Copies the depths of layers into host memory; if the texture itself were read back, the driver would convert it
// first. Also finds the largest number of fragments of a pixel, for each facing, from the stencils of two layers.

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2DArray depths;
layout(binding = 1) uniform usampler2DArray stencils;
layout(std430, binding = 0) restrict writeonly buffer Depths { float depths_out[]; };
layout(std430, binding = 1) restrict buffer Most { uint most[2]; };  // front, back
layout(location = 0) uniform ivec2 counted;  // layers with the stencils of the fronts and of the backs; -1: none

void main() {
  uvec3 at = gl_GlobalInvocationID;
  if (at.x >= columns || at.y >= rows) return;
  depths_out[(at.z * rows + at.y) * columns + at.x] = texelFetch(depths, ivec3(at), 0).r;
  int layer = int(at.z);
  if (layer != counted.x && layer != counted.y) return;
  uint facing = layer == counted.x ? 0u : 1u;
  uint n = texelFetch(stencils, ivec3(at), 0).r;
  if (n > most[facing]) atomicMax(most[facing], n);
}
