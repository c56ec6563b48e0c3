// Collision points, in the device's memory from the first round to the last.

struct Point {
  uint column;
  uint code;  // bit 0: the surface of a is a front, bit 1: that of b is; above them the candidate
  uint face_a, face_b;
  float depth_a, depth_b;  // inside the box
  uint round;
  uint next;  // of the same column, plus 1; see pairs_link.comp
};
