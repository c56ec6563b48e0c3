// Where the ray of a cell crosses a triangle.
//
// Interpolated depths are not accurate enough: OpenGL moves vertices to its own sub-pixel lattice, so a sample may lie
// a little outside its triangle, where the plane of a steep triangle is far away. Instead, the corners are fetched and
// moved to the lattice of the CPU engines (core/lattice.hpp), and depths are weighted as there, by integers that
// doubles hold exactly while the corners are within 2^26 lattice points (65,000 cells).

const float kSubStep = 1024.0;  // lattice points per cell

#ifdef OWN_CORNER  // the including shader defines corner()
vec3 corner(uint triangle, uint i);
#else
vec3 corner(uint triangle, uint i) {
  uint vertex = 3u * triangles[3u * triangle + i];
  vec3 p = vec3(positions[vertex + axes.x], positions[vertex + axes.y], positions[vertex + axes.z]);
  precise vec3 q = p - origin;
  precise vec2 at = q.xy * lattice_scale + 0.5 * kSubStep;
  return vec3(roundEven(at), q.z);
}
#endif

double turn(dvec2 a, dvec2 b) { return a.x * b.y - a.y * b.x; }

// Depth at the point of the edge from p to q that is nearest to the sample. The sample is the origin here.
double edge_depth(dvec2 p, dvec2 q, double depth_p, double depth_q) {
  dvec2 along = q - p;
  double size = dot(along, along);
  double t = size > 0.0LF ? clamp(-dot(p, along) / size, 0.0LF, 1.0LF) : 0.5LF;
  return depth_p + t * (depth_q - depth_p);
}

// Depth from the box's low face. A sample that is outside on this lattice gets the depth of the edge it lies beyond.
// The triangle on the edge's other side then gets the same depth, so the two do not change order at a silhouette.
float crossing_depth(uint triangle, uvec2 cell) {
  vec3 a = corner(triangle, 0u), b = corner(triangle, 1u), c = corner(triangle, 2u);
  dvec2 at = (vec2(cell) + 1.0) * kSubStep;
  dvec2 p = dvec2(a.xy) - at, q = dvec2(b.xy) - at, r = dvec2(c.xy) - at;
  double wa = turn(q, r), wb = turn(r, p), wc = turn(p, q), sum = wa + wb + wc;
  double depth;
  if (wa * sum < 0.0LF)
    depth = edge_depth(q, r, b.z, c.z);
  else if (wb * sum < 0.0LF)
    depth = edge_depth(r, p, c.z, a.z);
  else if (wc * sum < 0.0LF || sum == 0.0LF)
    depth = edge_depth(p, q, a.z, b.z);
  else
    depth = (wa * a.z + wb * b.z + wc * c.z) / sum;
  return clamp(float(depth), min(a.z, min(b.z, c.z)), max(a.z, max(b.z, c.z)));
}
