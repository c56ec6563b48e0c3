#include "bind.hpp"
#include "columns.hpp"
#include "lamella/scene.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

const py::dtype& point_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(CollisionPoint), {{"pair", "u4", offsetof(CollisionPoint, pair)},
                                                 {"on_a", "3f8", offsetof(CollisionPoint, on_a)},
                                                 {"on_b", "3f8", offsetof(CollisionPoint, on_b)},
                                                 {"front_a", "?", offsetof(CollisionPoint, front_a)},
                                                 {"front_b", "?", offsetof(CollisionPoint, front_b)},
                                                 {"triangle_a", "u4", offsetof(CollisionPoint, triangle_a)},
                                                 {"triangle_b", "u4", offsetof(CollisionPoint, triangle_b)}});
  });
}

const py::dtype& contact_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(Contact), {{"position", "3f8", offsetof(Contact, position)},
                                          {"normal", "3f4", offsetof(Contact, normal)},
                                          {"depth", "f4", offsetof(Contact, depth)},
                                          {"front_a", "?", offsetof(Contact, front_a)},
                                          {"front_b", "?", offsetof(Contact, front_b)},
                                          {"triangle_a", "u4", offsetof(Contact, triangle_a)},
                                          {"triangle_b", "u4", offsetof(Contact, triangle_b)},
                                          {"id", "u4", offsetof(Contact, id)}});
  });
}

const py::dtype& patch_dtype() {
  return kept_dtype([] {
    return struct_dtype(sizeof(ContactPatch), {{"center", "3f8", offsetof(ContactPatch, center)},
                                               {"normal", "3f8", offsetof(ContactPatch, normal)},
                                               {"volume", "f8", offsetof(ContactPatch, volume)},
                                               {"area", "f8", offsetof(ContactPatch, area)},
                                               {"depth", "f8", offsetof(ContactPatch, depth)},
                                               {"one_sided", "f8", offsetof(ContactPatch, one_sided)},
                                               {"separation", "f8", offsetof(ContactPatch, separation)},
                                               {"span_count", "u4", offsetof(ContactPatch, span_count)}});
  });
}

/// A part of an array of the result, for a pair of it.
template <class T>
std::span<const T> part_of(const std::vector<T>& all, std::uint32_t first, std::uint32_t count) {
  if (first > all.size() || count > all.size() - first) throw py::value_error("the pair is not one of this result");
  return std::span(all).subspan(first, count);
}

void bind_parts(py::module_& m) {
  Record<ScenePair>(m, "ScenePair", "Two objects that share a volume for certain.")
      .field("a", &ScenePair::a, "id of the first object; below b")
      .field("b", &ScenePair::b, "id of the second object")
      .field("volume", &ScenePair::volume, "shared; None from gl-pairs")
      .field("volume_error", &ScenePair::volume_error, "as in Overlap; None from gl-pairs")
      .field("tolerance_met", &ScenePair::tolerance_met, "with the option tolerance")
      .field("certificate", &ScenePair::certificate, "with the option certify")
      .field("centroid", &ScenePair::centroid, "of the shared volume")
      .field("group", &ScenePair::group, "index into SceneResult.groups")
      .field("span_count", &ScenePair::span_count, "intervals of rays inside both")
      .field("depth", &ScenePair::depth, "of the deepest contact; see the patches, whose depths converge")
      .field("first_point", &ScenePair::first_point, "in SceneResult.points")
      .field("point_count", &ScenePair::point_count, "collision points")
      .field("first_contact", &ScenePair::first_contact, "in SceneResult.contacts")
      .field("contact_count", &ScenePair::contact_count, "contacts")
      .field("more_contacts", &ScenePair::more_contacts, "they touch in more places than are reported")
      .field("first_patch", &ScenePair::first_patch, "in SceneResult.patches")
      .field("patch_count", &ScenePair::patch_count, "regions that they share, the largest volume first");
  bind_items<ScenePair>(m, "ScenePairs", "The pairs of a SceneResult, as a sequence.");
  Record<SceneDoubt>(m, "SceneDoubt", "Two objects of which it is not known whether they share a volume.")
      .field("a", &SceneDoubt::a, "id of the first object; below b")
      .field("b", &SceneDoubt::b, "id of the second object")
      .field("doubt", &SceneDoubt::doubt, "why; its mesh 0 is a, 1 is b");
  Record<SceneGroup>(m, "SceneGroup", "Objects that were sampled together.")
      .field("grid", &SceneGroup::grid, "that was sampled")
      .field("origin", &SceneGroup::origin, "what grid is relative to")
      .field("object_count", &SceneGroup::object_count, "objects")
      .field("candidate_count", &SceneGroup::candidate_count, "pairs whose boxes share a volume");
  Record<SceneSelfOverlap>(m, "SceneSelfOverlap", "An object that overlaps itself.")
      .field("object", &SceneSelfOverlap::object, "its id")
      .field("volume", &SceneSelfOverlap::volume, "that it covers more than once");
  Record<SceneDefect>(m, "SceneDefect", "An object whose results cannot be fully trusted.")
      .field("object", &SceneDefect::object, "its id")
      .field("open_columns", &SceneDefect::open_columns, "columns where its winding does not return to 0")
      .field("skipped_triangles", &SceneDefect::skipped_triangles, "NaN, infinite or too far away")
      .field("inside_out_columns", &SceneDefect::inside_out_columns, "closed, with a winding below 0")
      .field("closed_edges", &SceneDefect::closed_edges, "of holes that were closed");
  Record<SceneHit>(m, "SceneHit", "The first of all objects that a moving one touches.")
      .field("object", &SceneHit::object, "its id")
      .field("hit", &SceneHit::hit, "where and when; triangle_a: of the one that moves");
}

}  // namespace

void bind_scene_results(py::module_& m) {
  bind_parts(m);
  using Result = const SceneResult&;
  Record<SceneResult>(m, "SceneResult", "What Scene.collide found. It stays valid after the next call.")
      .field("verdict", &SceneResult::verdict, "colliding: there is a pair; otherwise undecided where some pair is")
      .value(
          "colliding", [](Result r) { return r.colliding(); }, "whether there is a pair")
      .value(
          "pairs",
          [](const std::shared_ptr<SceneResult>& r) {
            return Items<ScenePair>{r, &r->pairs};
          },
          "sequence of ScenePair, ascending by (a, b)")
      .array(
          "pair_ids",
          [](Result r, py::handle owner) {
            return column_of<std::uint32_t>(
                r.pairs, [](const ScenePair& p) -> auto& { return p.a; }, {2}, owner);
          },
          "uint32 (n, 2): the ids of each pair")
      .value(
          "volumes",
          [](Result r) { return computed<double>(r.pairs, [](const ScenePair& p) { return p.volume.value_or(NAN); }); },
          "of each pair; NaN where the engine gives none")
      .value(
          "volume_errors",
          [](Result r) {
            return computed<double>(r.pairs, [](const ScenePair& p) { return p.volume_error.value_or(NAN); });
          },
          "of each pair")
      .field("undecided", &SceneResult::undecided, "list of SceneDoubt; none of them is in pairs")
      .array(
          "points",
          [](Result r, py::handle owner) { return structs_of<CollisionPoint>(r.points, point_dtype(), owner); },
          "structured array: pair, on_a, on_b, front_a, front_b, triangle_a, triangle_b")
      .array(
          "contacts",
          [](Result r, py::handle owner) { return structs_of<Contact>(r.contacts, contact_dtype(), owner); },
          "structured array: position, normal (from b to a), depth, front_a, front_b, triangle_a, triangle_b, id")
      .array(
          "patches",
          [](Result r, py::handle owner) { return structs_of<ContactPatch>(r.patches, patch_dtype(), owner); },
          "structured array: center, normal, volume, area, depth, one_sided, separation, span_count")
      .field("groups", &SceneResult::groups, "list of SceneGroup")
      .field("self_overlaps", &SceneResult::self_overlaps, "list of SceneSelfOverlap, with the option self_overlap")
      .field("defects", &SceneResult::defects, "list of SceneDefect")
      .field("health", &SceneResult::health, "of all groups together")
      .field("ms", &SceneResult::ms, "times")
      .field("object_count", &SceneResult::object_count, "objects of the scene")
      .field("candidate_count", &SceneResult::candidate_count, "pairs whose boxes share a volume")
      .field("refined_count", &SceneResult::refined_count, "pairs that were asked again for the option tolerance")
      .field("certified_count", &SceneResult::certified_count, "candidates that are proved (the option certify)")
      .field("round_count", &SceneResult::round_count, "gl-pairs: rounds of peeling")
      .field("read_back_bytes", &SceneResult::read_back_bytes, "fetched from a GPU")
      .field("passed_over", &SceneResult::passed_over, "method jang: pairs of surfaces that were not compared")
      .field("engine", &SceneResult::engine, "that answered")
      .def(
          "points_of",
          [](py::handle self, const ScenePair& p) {
            const auto part = part_of(self.cast<Result>().points, p.first_point, p.point_count);
            return structs_of<CollisionPoint>(part, point_dtype(), self);
          },
          py::arg("pair"), "The collision points of one of `pairs`.")
      .def(
          "contacts_of",
          [](py::handle self, const ScenePair& p) {
            const auto part = part_of(self.cast<Result>().contacts, p.first_contact, p.contact_count);
            return structs_of<Contact>(part, contact_dtype(), self);
          },
          py::arg("pair"), "The contacts of one of `pairs`.")
      .def(
          "patches_of",
          [](py::handle self, const ScenePair& p) {
            const auto part = part_of(self.cast<Result>().patches, p.first_patch, p.patch_count);
            return structs_of<ContactPatch>(part, patch_dtype(), self);
          },
          py::arg("pair"), "The patches of one of `pairs`, the largest volume first.");
}

}  // namespace lamella::python
