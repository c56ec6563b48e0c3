// Which way objects part at an edge. A ray tells which two faces bound the shared volume, and their mean is a good
// normal where they face each other. Where the edge of a box is in a slab, one of them is a side of the box, and the
// mean leans: a box that slides would run against it. The normal wanted is that of the slab's face. It shows in two
// ways: other choices of the pair have it whose faces do face each other; or it is the same in all choices, while the
// other object's faces turn around its edge or corner.

#include "scene/edge_normals.hpp"

#include <cmath>
#include <cstddef>

namespace lamella {
namespace {

constexpr float kOpposed = 0.97f;  ///< cosine of 14 degrees
constexpr float kFlat =
    0.9995f;  ///< of 2 degrees: one flat face, not a curved surface, whose mean with another is fine
constexpr float kSteadier = 0.02f;  ///< by how much the one object's mean normal must be longer than the other's

constexpr float kAlong = 0.1f;  ///< sine of 6 degrees

bool opposed(const ContactChoice& c) { return dot(c.face_a, c.face_b) < -kOpposed; }

/// Directions in which faces of the pair face each other squarely; a few stand for all.
struct Squares {
  static constexpr std::size_t kMost = 16;
  Vec3 a[kMost], b[kMost];
  std::size_t count = 0;

  void add(const ContactChoice& c) {
    for (std::size_t i = 0; i < count; ++i)
      if (dot(a[i], c.face_a) > 0.995f && dot(b[i], c.face_b) > 0.995f) return;
    if (count == kMost) return;
    a[count] = c.face_a;
    b[count++] = c.face_b;
  }
};

/// Only where the new normal still leads out of both faces, or along one of them: the side of a box that leans by a
/// little is still a side.
void turn(ContactChoice& c, Vec3 normal) {
  if (dot(c.face_a, c.face_b) > kAlong) return;
  c.contact.normal = normal;
  c.contact.depth = c.stretch * std::abs(normal[c.axis]);
}

}  // namespace

void mend_edge_normals(std::span<ContactChoice> choices) {
  Vec3 sum_a, sum_b;
  Squares squares;
  bool all_opposed = true;
  for (const ContactChoice& c : choices) {
    sum_a = sum_a + c.face_a;
    sum_b = sum_b + c.face_b;
    if (opposed(c))
      squares.add(c);
    else
      all_opposed = false;
  }
  if (all_opposed) return;
  const auto count = static_cast<float>(choices.size());
  const float mean_a = length(sum_a) / count, mean_b = length(sum_b) / count;
  for (ContactChoice& c : choices) {
    if (opposed(c)) continue;
    bool by_a = false, by_b = false;
    for (std::size_t i = 0; i < squares.count; ++i) {
      by_a = by_a || dot(squares.a[i], c.face_a) > kFlat;
      by_b = by_b || dot(squares.b[i], c.face_b) > kFlat;
    }
    if (by_a == by_b) {
      by_a = mean_a > kFlat && mean_a > mean_b + kSteadier;
      by_b = mean_b > kFlat && mean_b > mean_a + kSteadier;
    }
    if (by_a != by_b) turn(c, by_a ? c.face_a * -1.0f : c.face_b);
  }
}

}  // namespace lamella
