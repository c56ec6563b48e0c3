// Contact normals at edges. A ray gives the two faces that bound the shared volume, and their mean is a good normal
// where they face each other. Where the edge of a box is inside a slab, one of the two is a side of the box, and the
// mean is tilted: a sliding box would run against it. The right normal is that of the slab's face. It is found in two
// ways: other choices of the pair, whose faces do face each other, have it; or it is the same in all choices, while the
// other object's normals vary around its edge or corner.

#include "scene/edge_normals.hpp"

#include <cmath>
#include <cstddef>

namespace lamella {
namespace {

constexpr float kOpposed = 0.97f;   ///< cosine of 14 degrees
constexpr float kFlat = 0.9995f;    ///< of 2 degrees: one flat face; on a curved surface the mean is fine
constexpr float kSteadier = 0.02f;  ///< by how much one object's mean normal must be longer than the other's
constexpr float kAlong = 0.1f;      ///< sine of 6 degrees

bool opposed(const ContactChoice& c) { return dot(c.normal_a, c.normal_b) < -kOpposed; }

/// Directions in which faces of the pair face each other; near ones are kept once.
struct Squares {
  static constexpr std::size_t kMost = 16;
  Vec3 a[kMost], b[kMost];
  std::size_t count = 0;

  void add(const ContactChoice& c) {
    for (std::size_t i = 0; i < count; ++i)
      if (dot(a[i], c.normal_a) > 0.995f && dot(b[i], c.normal_b) > 0.995f) return;
    if (count == kMost) return;
    a[count] = c.normal_a;
    b[count++] = c.normal_b;
  }
};

/// Only where the new normal points out of both faces or along one of them; a slightly tilted side of a box is still a
/// side.
void turn(ContactChoice& c, Vec3 normal) {
  if (dot(c.normal_a, c.normal_b) > kAlong) return;
  c.contact.normal = normal;
  c.contact.depth = c.length * std::abs(normal[c.axis]);
}

}  // namespace

void correct_edge_normals(std::span<ContactChoice> choices) {
  Vec3 sum_a, sum_b;
  Squares squares;
  bool all_opposed = true;
  for (const ContactChoice& c : choices) {
    sum_a = sum_a + c.normal_a;
    sum_b = sum_b + c.normal_b;
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
      by_a = by_a || dot(squares.a[i], c.normal_a) > kFlat;
      by_b = by_b || dot(squares.b[i], c.normal_b) > kFlat;
    }
    if (by_a == by_b) {
      by_a = mean_a > kFlat && mean_a > mean_b + kSteadier;
      by_b = mean_b > kFlat && mean_b > mean_a + kSteadier;
    }
    if (by_a != by_b) turn(c, by_a ? c.normal_a * -1.0f : c.normal_b);
  }
}

}  // namespace lamella
