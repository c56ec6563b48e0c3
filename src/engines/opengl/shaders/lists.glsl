// The crossings of every column as a linked list, and the settings and sums of a query; see lists.cpp.

struct Node {
  uint next;  // as in heads
  uint key;   // of a Crossing, depth bits << 1 | entry; as drawn, triangle << 1 | entry
};

layout(std430, binding = 0) restrict buffer Heads { uint heads[]; };  // first node plus 1; 0: an empty list
layout(std430, binding = 1) restrict buffer Nodes { Node nodes[]; };

// Sums over columns: first of a work group, then of all.
struct Sums {
  double length, moment_u, moment_v, moment_w;
  double inside_out_length;
  uint spans, inside_out_spans;          // of a group, after the total pass: where its spans begin
  uint low_u, low_v, high_u, high_v;     // cells
  float low, high;                       // depths
  uint open_columns, occupied_columns, inside_out_columns;
  uint padding;
};

layout(std430, binding = 2) coherent restrict buffer Answer {
  Sums total;
  uint node_count;  // that the drawing needed, even if there was no room
  uint first_node;  // of the second mesh
  uint inside, untrusted;
};
layout(std430, binding = 3) restrict buffer Groups { Sums groups[]; };

layout(std140, binding = 1) uniform Asked {
  float thickness;       // spans not longer than this are not counted
  uint column_count;
  uint second;           // head of the second mesh's first list
  uint span_capacity;
  uint inside_out_capacity;
  uint group_count;
  uint point_count;
  float cells_per_u, cells_per_v;
};

float key_depth(uint key) { return uintBitsToFloat(key >> 1); }
int key_sign(uint key) { return int(key & 1u) * 2 - 1; }

Sums no_sums() {
  return Sums(0.0LF, 0.0LF, 0.0LF, 0.0LF, 0.0LF, 0u, 0u, ~0u, ~0u, 0u, 0u, uintBitsToFloat(0x7f800000u), 0.0, 0u, 0u, 0u,
              0u);
}

Sums merged(Sums a, Sums b) {
  return Sums(a.length + b.length, a.moment_u + b.moment_u, a.moment_v + b.moment_v, a.moment_w + b.moment_w,
              a.inside_out_length + b.inside_out_length, a.spans + b.spans, a.inside_out_spans + b.inside_out_spans,
              min(a.low_u, b.low_u), min(a.low_v, b.low_v), max(a.high_u, b.high_u), max(a.high_v, b.high_v),
              min(a.low, b.low), max(a.high, b.high), a.open_columns + b.open_columns,
              a.occupied_columns + b.occupied_columns, a.inside_out_columns + b.inside_out_columns, 0u);
}
