// The mesh being drawn or looked at.

layout(std430, binding = 5) restrict readonly buffer Positions { float positions[]; };
layout(std430, binding = 6) restrict readonly buffer Triangles { uint triangles[]; };
