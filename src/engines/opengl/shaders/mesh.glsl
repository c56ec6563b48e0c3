// The mesh being drawn or processed.

layout(std430, binding = 5) restrict readonly buffer Positions { float positions[]; };
layout(std430, binding = 6) restrict readonly buffer Triangles { uint triangles[]; };
