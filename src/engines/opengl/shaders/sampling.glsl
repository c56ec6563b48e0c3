// What a drawing needs to know about the grid; see Sampling in sampling.hpp.

layout(std140, binding = 0) uniform Sampling {
  vec3 origin;  // of the box, in the order u, v, w
  float box_depth;
  vec2 scale;          // box to clip space
  vec2 lattice_scale;  // box to the lattice
  ivec3 axes;          // of u, v, w
  uint columns;
  uint rows;
  uint cut;         // leave out what lies beyond the box
  float low;        // depth that becomes 0 in a depth buffer
  float z_scale;    // from there on
  uint first_head;  // of the mesh's lists
  uint capacity;    // nodes
};
