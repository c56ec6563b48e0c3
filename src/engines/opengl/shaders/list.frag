// One crossing: a node at the front of its column's list. It says which triangle and which facing; the depth is found
// later, see depth.comp.

layout(std430, binding = 7) restrict writeonly buffer Cells { uint cells[]; };  // column of each node

// Far from where the counter would start again, and farther than all invocations at once can carry it.
const uint kStop = 0xf0000000u;

void main() {
  if (node_count > kStop) return;
  uint slot = atomicAdd(node_count, 1u);
  if (slot >= capacity) return;
  uint column = uint(gl_FragCoord.y) * columns + uint(gl_FragCoord.x);
  cells[slot] = column;
  nodes[slot].key = (uint(gl_PrimitiveID) << 1) | (gl_FrontFacing ? 1u : 0u);
  nodes[slot].next = atomicExchange(heads[first_head + column], slot + 1u);
}
