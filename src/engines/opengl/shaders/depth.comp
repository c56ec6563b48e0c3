// Replaces the triangle of every node by the depth at which the node's column crosses it. Done here and not in the
// fragment shader: a GPU may have many more units for compute than it uses for drawing.

layout(local_size_x = 128) in;

layout(std430, binding = 7) restrict readonly buffer Cells { uint cells[]; };  // column of each node

void main() {
  uint nodes_made = min(node_count, capacity);
  uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = first_node + gl_GlobalInvocationID.x; i < nodes_made; i += stride) {
    uint column = cells[i];
    uint hit = nodes[i].key;
    // A crossing beyond a face of the box is moved onto it. Adding zero turns negative zero into positive.
    float depth = clamp(crossing_depth(hit >> 1, uvec2(column % columns, column / columns)), 0.0, box_depth) + 0.0;
    nodes[i].key = (floatBitsToUint(depth) << 1) | (hit & 1u);
  }
}
