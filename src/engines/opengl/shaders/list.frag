// One crossing: adds a node at the front of its column's list, with triangle and facing. The depth is computed later,
// see depth.comp.

layout(std430, binding = 7) restrict writeonly buffer Cells { uint cells[]; };  // column of each node

// Far below the counter's overflow: farther than all concurrent invocations together can increase it.
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
