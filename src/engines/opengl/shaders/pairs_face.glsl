// The face that a fragment belongs to.

flat in uint slot;
flat in uint face;     // numbered through the group
flat in uint object;   // index in the group
flat in uvec2 window;  // cells where the object is sampled

// On the lattice, as in crossing.glsl.
vec3 corner(uint place, uint i) {
  precise vec3 q = corner_of(place, i) - origin;
  precise vec2 at = q.xy * lattice_scale + 0.5 * kSubStep;
  return vec3(roundEven(at), q.z);
}

uvec2 cell() { return uvec2(gl_FragCoord.xy); }
uint column() { return uint(gl_FragCoord.y) * columns + uint(gl_FragCoord.x); }

bool outside_window() {
  uvec4 ends = unpacked(window);
  return any(lessThan(cell(), ends.xy)) || any(greaterThanEqual(cell(), ends.zw));
}
