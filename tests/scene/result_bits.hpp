#pragma once

#include "lamella/scene.hpp"
#include "support/bits.hpp"

namespace lamella::test {

/// A whole result except for times, as bits.
class ResultBits : public Bits {
 public:
  explicit ResultBits(const SceneResult& r) {
    put(r.object_count, r.candidate_count, r.round_count, r.refined_count, r.certified_count, r.pairs.size(),
        r.points.size(), r.contacts.size());
    for (const ScenePair& p : r.pairs) {
      put(p.a.number, p.b.number, p.volume.has_value(), p.volume.value_or(0), p.centroid, p.group, p.span_count,
          p.depth);
      put(p.volume_error.has_value(), p.volume_error.value_or(0), p.tolerance_met, p.certificate.certain);
      put(p.first_point, p.point_count, p.first_contact, p.contact_count);
    }
    for (const CollisionPoint& p : r.points)
      put(p.pair, p.on_a, p.on_b, p.front_a, p.front_b, p.triangle_a, p.triangle_b);
    for (const Contact& c : r.contacts)
      put(c.position, c.normal, c.depth, c.front_a, c.front_b, c.triangle_a, c.triangle_b, c.id);
    for (const ContactPatch& p : r.patches)
      put(p.center, p.normal, p.volume, p.area, p.depth, p.one_sided, p.span_count);
    for (const SceneGroup& g : r.groups)
      put(g.grid.box.min, g.grid.box.max, static_cast<int>(g.grid.axis), g.grid.columns, g.grid.rows, g.object_count,
          g.candidate_count);
    for (const SceneSelfOverlap& s : r.self_overlaps) put(s.object.number, s.volume);
    for (const SceneDefect& d : r.defects) put(d.object.number, d.open_columns, d.skipped_triangles);
    const Health& h = r.health;
    put(h.open_columns, h.occupied_columns, h.inside_out_columns, h.skipped_triangles, h.dropped_crossings,
        h.untrusted_volume);
  }
};

}  // namespace lamella::test
