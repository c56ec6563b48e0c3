// Turns the triangle of every node into the depth at which the node's column crosses it. Here rather than where the
// fragment is drawn: a GPU may have many more units that compute than it lets draw.

layout(local_size_x = 128) in;

layout(std430, binding = 7) restrict readonly buffer Cells { uint cells[]; };  // column of each node

void main() {
  uint nodes_made = min(node_count, capacity);
  uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = first_node + gl_GlobalInvocationID.x; i < nodes_made; i += stride) {
    uint column = cells[i];
    uint hit = nodes[i].key;
    // Beyond the box's faces a crossing is moved onto them. Adding zero turns a negative zero positive.
    float depth = clamp(crossing_depth(hit >> 1, uvec2(column % columns, column / columns)), 0.0, box_depth) + 0.0;
    nodes[i].key = (floatBitsToUint(depth) << 1) | (hit & 1u);
  }
}
