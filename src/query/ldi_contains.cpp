#include "query/ldi_queries.hpp"
#include "query/point_lookup.hpp"

namespace lamella {

void contains(const Ldi& ldi, std::span<const Vec3> points, Workers& workers, Containment& out) {
  LookupScratch scratch;  // not used: the points are in the LDI's frame
  flag_points({ldi}, points, health_of_columns(ldi, workers), workers, scratch, out);
}

void contains(const Ldi& ldi, std::span<const Vec3> points, Containment& out) {
  Workers workers(1);
  contains(ldi, points, workers, out);
}

}  // namespace lamella
