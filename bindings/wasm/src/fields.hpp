#pragma once

// The members of options and answers, by their names in JavaScript.

#include "convert.hpp"
#include "lamella/batch.hpp"
#include "lamella/distance.hpp"
#include "lamella/engine.hpp"
#include "lamella/gradient.hpp"
#include "lamella/image_collide.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/particles.hpp"
#include "lamella/repair.hpp"
#include "lamella/response.hpp"
#include "lamella/scene.hpp"
#include "lamella/separation.hpp"
#include "lamella/soft.hpp"

namespace lamella::wasm {

#define LAMELLA_NAMES(Enum, ...)                          \
  template <>                                             \
  struct Names<Enum> {                                    \
    static constexpr const char* names[] = {__VA_ARGS__}; \
  }
LAMELLA_NAMES(Axis, "x", "y", "z");
LAMELLA_NAMES(Verdict, "clear", "colliding", "undecided");
LAMELLA_NAMES(Doubt::Cause, "openColumns", "insideOut", "skippedTriangles", "droppedCrossings", "touching",
              "closedHoles");
LAMELLA_NAMES(Normals, "faces", "neighbours");
LAMELLA_NAMES(PairMethod, "complete", "jang");
LAMELLA_NAMES(MeshFormat, "ply", "obj", "stl", "off", "gltf", "glb", "xyz");
LAMELLA_NAMES(Split, "automatic", "none", "groups", "nodes", "components");
LAMELLA_NAMES(SphereFit, "fast", "tight", "published", "publishedEnclosing");
LAMELLA_NAMES(ImageWalk, "guided", "zigzag");
LAMELLA_NAMES(End, "low", "high", "both");
#undef LAMELLA_NAMES

// ------------------------------------------------------------------------------------------------------------ options

template <class Visit>
void fields(Visit& visit, Tolerance& o) {
  visit("relative", o.relative);
  visit("absolute", o.absolute);
}
template <class Visit>
void fields(Visit& visit, Options& o) {
  visit("engine", o.engine);
  visit("resolution", o.resolution);
  visit("axis", o.axis);
  visit("threads", o.threads);
  visit("strict", o.strict);
  visit("minThickness", o.min_thickness);
  visit("maxCrossings", o.max_crossings);
  visit("keepSpans", o.keep_spans);
  visit("aroundPoints", o.around_points);
  visit("tolerance", o.tolerance);
  visit("certify", o.certify);
  visit("exact", o.exact);
  visit("ends", o.ends);
  visit("explain", o.explain);
}
template <class Visit>
void fields(Visit& visit, GradientOptions& o) {
  visit("vertices", o.vertices);
}
template <class Visit>
void fields(Visit& visit, Screen& o) {
  visit("eye", o.eye);
  visit("pixelAngle", o.pixel_angle);
}
template <class Visit>
void fields(Visit& visit, SceneOptions& o) {
  visit("engine", o.engine);
  visit("cell", o.cell);
  visit("screen", o.screen);
  visit("resolution", o.resolution);
  visit("maxResolution", o.max_resolution);
  visit("axis", o.axis);
  visit("views", o.views);
  visit("threads", o.threads);
  visit("closeHoles", o.close_holes);
  visit("strict", o.strict);
  visit("minThickness", o.min_thickness);
  visit("maxCrossings", o.max_crossings);
  visit("maxPairs", o.max_pairs);
  visit("maxSpans", o.max_spans);
  visit("selfOverlap", o.self_overlap);
  visit("points", o.points);
  visit("threshold", o.threshold);
  visit("normals", o.normals);
  visit("maxContacts", o.max_contacts);
  visit("patches", o.patches);
  visit("separations", o.separations);
  visit("method", o.method);
  visit("tolerance", o.tolerance);
  visit("certify", o.certify);
}
template <class Visit>
void fields(Visit& visit, SeparationOptions& o) {
  visit("engine", o.engine);
  visit("resolution", o.resolution);
  visit("directions", o.directions);
  visit("threads", o.threads);
}
template <class Visit>
void fields(Visit& visit, BodyOptions& o) {
  visit("density", o.density);
  visit("restitution", o.restitution);
  visit("friction", o.friction);
  visit("fixed", o.fixed);
}
template <class Visit>
void fields(Visit& visit, RigidWorldOptions& o) {
  visit("gravity", o.gravity);
  visit("collisionIterations", o.collision_iterations);
  visit("contactIterations", o.contact_iterations);
  visit("shockPropagation", o.shock_propagation);
  visit("maxSubsteps", o.max_substeps);
  visit("waysOut", o.ways_out);
}
template <class Visit>
void fields(Visit& visit, RepairOptions& o) {
  visit("weld", o.weld);
  visit("weldDistance", o.weld_distance);
  visit("dropDegenerate", o.drop_degenerate);
  visit("dropDoubled", o.drop_doubled);
  visit("orient", o.orient);
  visit("close", o.close);
}
template <class Visit>
void fields(Visit& visit, MakeImageOptions& o) {
  visit("n", o.n);
  visit("maxCuts", o.max_cuts);
  visit("threads", o.threads);
}
template <class Visit>
void fields(Visit& visit, ImageCollideOptions& o) {
  visit("all", o.all);
  visit("maxLevel", o.max_level);
  visit("maxTests", o.max_tests);
  visit("walk", o.walk);
}
template <class Visit>
void fields(Visit& visit, PushOutOptions& o) {
  visit("resolution", o.resolution);
  visit("threads", o.threads);
  visit("restitution", o.restitution);
  visit("friction", o.friction);
  visit("clearance", o.clearance);
  visit("strict", o.strict);
  visit("maxCrossings", o.max_crossings);
}
template <class Visit>
void fields(Visit& visit, VolumeContactOptions& o) {
  visit("resolution", o.resolution);
  visit("cell", o.cell);
  visit("threads", o.threads);
  visit("stiffness", o.stiffness);
  visit("damping", o.damping);
  visit("passes", o.passes);
  visit("iterations", o.iterations);
  visit("relaxation", o.relaxation);
  visit("maxWay", o.max_way);
  visit("friction", o.friction);
  visit("strict", o.strict);
  visit("maxCrossings", o.max_crossings);
}

// ------------------------------------------------------------------------------------------------------------ answers

template <class Visit>
void fields(Visit& visit, Aabb& a) {
  visit("min", a.min);
  visit("max", a.max);
}
template <class Visit>
void fields(Visit& visit, Grid& a) {
  visit("box", a.box);
  visit("axis", a.axis);
  visit("columns", a.columns);
  visit("rows", a.rows);
}
template <class Visit>
void fields(Visit& visit, Timings& a) {
  visit("broad", a.broad);
  visit("voi", a.voi);
  visit("ldi", a.ldi);
  visit("query", a.query);
  visit("points", a.points);
  visit("contacts", a.contacts);
  visit("solve", a.solve);
}
template <class Visit>
void fields(Visit& visit, Health& a) {
  bool ok = a.ok();
  visit("ok", ok);
  visit("openColumns", a.open_columns);
  visit("occupiedColumns", a.occupied_columns);
  visit("insideOutColumns", a.inside_out_columns);
  visit("skippedTriangles", a.skipped_triangles);
  visit("droppedCrossings", a.dropped_crossings);
  visit("untrustedVolume", a.untrusted_volume);
  visit("untrustedPoints", a.untrusted_points);
  visit("uncertainSpans", a.uncertain_spans);
  visit("closedEdges", a.closed_edges);
  visit("fanArea", a.fan_area);
  visit("closingVolume", a.closing_volume);
}
template <class Visit>
void fields(Visit& visit, Doubt& a) {
  std::string text = describe(a);
  visit("cause", a.cause);
  visit("mesh", a.mesh);
  visit("count", a.count);
  visit("text", text);
}
template <class Visit>
void fields(Visit& visit, Certificate& a) {
  visit("certain", a.certain);
  visit("touching", a.touching);
  visit("witness", a.witness);
  visit("triangles", a.triangles);
}
template <class Visit>
void overlap_sums(Visit& visit, auto& a) {
  visit("verdict", a.verdict);
  visit("origin", a.origin);
  visit("grid", a.grid);
  visit("spanCount", a.span_count);
  visit("volume", a.volume);
  visit("volumeError", a.volume_error);
  visit("toleranceMet", a.tolerance_met);
  visit("certificate", a.certificate);
  visit("centroid", a.centroid);
  visit("bounds", a.bounds);
  visit("health", a.health);
}
template <class Visit>
void fields(Visit& visit, Overlap& a) {
  overlap_sums(visit, a);
  visit("doubts", a.doubts);
  visit("ms", a.ms);
  visit("engine", a.engine);
  visit("alternating", a.alternating);
  // In memory: a span is {u32 column, f32 begin, f32 end}, both ends of one {u32 triangle, u32 mesh, f32 b, f32 c}
  // twice.
  visit.template array<std::uint32_t>("spans", a.spans);
  visit.template array<std::uint32_t>("ends", a.ends);
}
template <class Visit>
void fields(Visit& visit, SelfOverlap& a) {
  fields(visit, static_cast<Overlap&>(a));
  visit.template array<std::uint32_t>("insideOut", a.inside_out);
  visit("insideOutVolume", a.inside_out_volume);
}
template <class Visit>
void fields(Visit& visit, MotionGradient& a) {
  visit("translation", a.translation);
  visit("rotation", a.rotation);
}
template <class Visit>
void fields(Visit& visit, InnerSurface& a) {
  visit("area", a.area);
  visit("normal", a.normal);
}
template <class Visit>
void fields(Visit& visit, GradientSums& a) {
  visit("a", a.a);
  visit("b", a.b);
  visit("moments", a.moments);
  visit("innerA", a.inner_a);
  visit("innerB", a.inner_b);
}
template <class Visit>
void fields(Visit& visit, OverlapGradient& a) {
  fields(visit, static_cast<Overlap&>(a));
  visit("sums", a.sums);
  visit.template array<float>("verticesA", a.vertices_a);
  visit.template array<float>("verticesB", a.vertices_b);
}
template <class Visit>
void fields(Visit& visit, SelfGradient& a) {
  fields(visit, static_cast<SelfOverlap&>(a));
  visit("sums", a.sums);
  visit.template array<float>("vertices", a.vertices);
}
template <class Visit>
void fields(Visit& visit, Containment& a) {
  visit("grid", a.grid);
  visit("origin", a.origin);
  visit.template array<std::uint8_t>("inside", a.inside);
  visit("insideCount", a.inside_count);
  visit("box", a.box);
  visit("notLookedAt", a.not_looked_at);
  visit("health", a.health);
  visit("ms", a.ms);
  visit("engine", a.engine);
  visit("alternating", a.alternating);
}
template <class Visit>
void fields(Visit& visit, VerticesOfOne& a) {
  visit("grid", a.grid);
  visit.template array<std::uint32_t>("inside", a.inside);  // {u32 vertex, f32 back, f32 ahead}
  visit("lookedUp", a.looked_up);
}
template <class Visit>
void fields(Visit& visit, VerticesInside& a) {
  visit("aInB", a.a_in_b);
  visit("bInA", a.b_in_a);
  visit("origin", a.origin);
  visit("health", a.health);
  visit("alternating", a.alternating);
  visit("ms", a.ms);
  visit("engine", a.engine);
}
template <class Visit>
void fields(Visit& visit, PairOverlap& a) {
  overlap_sums(visit, a);
}
template <class Visit>
void fields(Visit& visit, PairGradient& a) {
  overlap_sums(visit, a);
  visit("sums", a.sums);
}
template <class Visit>
void fields(Visit& visit, Contact& a) {
  visit("position", a.position);
  visit("normal", a.normal);
  visit("depth", a.depth);
  visit("frontA", a.front_a);
  visit("frontB", a.front_b);
  visit("triangleA", a.triangle_a);
  visit("triangleB", a.triangle_b);
  visit("id", a.id);
}
template <class Visit>
void fields(Visit& visit, ContactPatch& a) {
  visit("center", a.center);
  visit("normal", a.normal);
  visit("volume", a.volume);
  visit("area", a.area);
  visit("depth", a.depth);
  visit("oneSided", a.one_sided);
  visit("separation", a.separation);
  visit("spanCount", a.span_count);
}
template <class Visit>
void fields(Visit& visit, CollisionPoint& a) {
  visit("pair", a.pair);
  visit("onA", a.on_a);
  visit("onB", a.on_b);
  visit("frontA", a.front_a);
  visit("frontB", a.front_b);
  visit("triangleA", a.triangle_a);
  visit("triangleB", a.triangle_b);
}
template <class Visit>
void fields(Visit& visit, ScenePair& a) {
  visit("a", a.a);
  visit("b", a.b);
  visit("volume", a.volume);
  visit("volumeError", a.volume_error);
  visit("toleranceMet", a.tolerance_met);
  visit("certificate", a.certificate);
  visit("centroid", a.centroid);
  visit("group", a.group);
  visit("spanCount", a.span_count);
  visit("depth", a.depth);
  visit("firstPoint", a.first_point);
  visit("pointCount", a.point_count);
  visit("firstContact", a.first_contact);
  visit("contactCount", a.contact_count);
  visit("moreContacts", a.more_contacts);
  visit("firstPatch", a.first_patch);
  visit("patchCount", a.patch_count);
}
template <class Visit>
void fields(Visit& visit, SceneDoubt& a) {
  visit("a", a.a);
  visit("b", a.b);
  visit("doubt", a.doubt);
}
template <class Visit>
void fields(Visit& visit, SceneGroup& a) {
  visit("grid", a.grid);
  visit("origin", a.origin);
  visit("objectCount", a.object_count);
  visit("candidateCount", a.candidate_count);
}
template <class Visit>
void fields(Visit& visit, SceneSelfOverlap& a) {
  visit("object", a.object);
  visit("volume", a.volume);
}
template <class Visit>
void fields(Visit& visit, SceneDefect& a) {
  visit("object", a.object);
  visit("openColumns", a.open_columns);
  visit("skippedTriangles", a.skipped_triangles);
  visit("insideOutColumns", a.inside_out_columns);
  visit("closedEdges", a.closed_edges);
}
template <class Visit>
void fields(Visit& visit, SceneResult& a) {
  visit("verdict", a.verdict);
  visit("pairs", a.pairs);
  visit("undecided", a.undecided);
  visit("points", a.points);
  visit("contacts", a.contacts);
  visit("patches", a.patches);
  visit("groups", a.groups);
  visit("selfOverlaps", a.self_overlaps);
  visit("defects", a.defects);
  visit("health", a.health);
  visit("ms", a.ms);
  visit("objectCount", a.object_count);
  visit("candidateCount", a.candidate_count);
  visit("refinedCount", a.refined_count);
  visit("certifiedCount", a.certified_count);
  visit("engine", a.engine);
}
template <class Visit>
void fields(Visit& visit, SweepHit& a) {
  visit("time", a.time);
  visit("position", a.position);
  visit("normal", a.normal);
  visit("triangleA", a.triangle_a);
  visit("triangleB", a.triangle_b);
  visit("overlapping", a.overlapping);
}
template <class Visit>
void fields(Visit& visit, SceneHit& a) {
  visit("object", a.object);
  visit("hit", a.hit);
}
template <class Visit>
void fields(Visit& visit, Separation& a) {
  visit("before", a.before);
  visit("translation", a.translation);
  visit("direction", a.direction);
  visit("length", a.length);
  visit("margin", a.margin);
  visit("after", a.after);
  visit("certificate", a.certificate);
  visit("directions", a.directions);
  visit("ms", a.ms);
  visit("engine", a.engine);
}
template <class Visit>
void fields(Visit& visit, FreeInterval& a) {
  visit("overlapping", a.overlapping);
  visit("forward", a.forward);
  visit("backward", a.backward);
  visit("roomForward", a.room_forward);
  visit("roomBackward", a.room_backward);
  visit("cell", a.cell);
  visit("open", a.open);
}
template <class Visit>
void fields(Visit& visit, MeshDistance& a) {
  visit("distance", a.distance);
  visit("onA", a.on_a);
  visit("onB", a.on_b);
  visit("triangleA", a.triangle_a);
  visit("triangleB", a.triangle_b);
  visit("verdict", a.verdict);
  visit("skippedTriangles", a.skipped_triangles);
  visit("ms", a.ms);
}
template <class Visit>
void fields(Visit& visit, RigidBody& a) {
  visit("translation", a.pose.translation);
  std::array<double, 4> turn{a.pose.rotation.x, a.pose.rotation.y, a.pose.rotation.z, a.pose.rotation.w};
  visit("rotation", turn);
  a.pose.rotation = {turn[0], turn[1], turn[2], turn[3]};
  visit("velocity", a.velocity);
  visit("angularVelocity", a.angular_velocity);
  visit("inverseMass", a.inverse_mass);
  visit("center", a.center);
  visit("inverseInertia", a.inverse_inertia);
  visit("restitution", a.restitution);
  visit("friction", a.friction);
  visit("thickness", a.thickness);
  visit("reach", a.reach);
}
template <class Visit>
void fields(Visit& visit, StepReport& a) {
  visit("substepCount", a.substep_count);
  visit("ms", a.ms);
  visit("impulseCount", a.impulse_count);
  visit("pushedCount", a.pushed_count);
  visit("wayCount", a.way_count);
  visit("sweepCount", a.sweep_count);
  visit("overLimit", a.over_limit);
  visit("secondsLeft", a.seconds_left);
}
template <class Visit>
void fields(Visit& visit, MassProperties& a) {
  visit("mass", a.mass);
  visit("center", a.center);
  visit("inertia", a.inertia);
}
template <class Visit>
void fields(Visit& visit, MeshReport& a) {
  visit("vertices", a.vertices);
  visit("triangles", a.triangles);
  visit("closed", a.closed);
  visit("boundaryEdges", a.boundary_edges);
  visit("nonmanifoldEdges", a.nonmanifold_edges);
  visit("inconsistentEdges", a.inconsistent_edges);
  visit("degenerateTriangles", a.degenerate_triangles);
  visit("nonfiniteVertices", a.nonfinite_vertices);
  visit("components", a.components);
  visit("openEdges", a.open_edges);
  visit("holes", a.holes);
  visit("insideOutComponents", a.inside_out_components);
  visit("cavities", a.cavities);
  visit("duplicateFaces", a.duplicate_faces);
  visit("volume", a.volume);
  visit("area", a.area);
  visit("origin", a.origin);
  visit("bounds", a.bounds);
  visit("defects", a.defects);
}
template <class Visit>
void fields(Visit& visit, RepairReport& a) {
  bool changed = a.changed();
  visit("changed", changed);
  visit("unusableFaces", a.unusable_faces);
  visit("weldedVertices", a.welded_vertices);
  visit("unusedVertices", a.unused_vertices);
  visit("degenerateFaces", a.degenerate_faces);
  visit("doubledFaces", a.doubled_faces);
  visit("turnedFaces", a.turned_faces);
  visit("turnedShells", a.turned_shells);
  visit("shells", a.shells);
  visit("cavities", a.cavities);
  visit("closedHoles", a.closed_holes);
  visit("closedEdges", a.closed_edges);
  visit("fanArea", a.fan_area);
  visit("oneSidedPatches", a.one_sided_patches);
  visit("unjudgedShells", a.unjudged_shells);
  visit("openEdges", a.open_edges);
}
template <class Visit>
void fields(Visit& visit, EngineInfo& a) {
  visit("name", a.name);
  visit("summary", a.summary);
  visit("available", a.available);
  visit("why", a.why);
}
template <class Visit>
void fields(Visit& visit, MakeImageReport& a) {
  visit("triangleCount", a.triangle_count);
  visit("genus", a.genus);
  visit("cutEdgeCount", a.cut_edge_count);
  visit("cutLength", a.cut_length);
  visit("cutPathCount", a.cut_path_count);
  visit("flippedCount", a.flipped_count);
  visit("stretch", a.stretch);
  visit("volume", a.volume);
  visit("imageVolume", a.image_volume);
  visit("mapDistance", a.map_distance);
  visit("distance", a.distance);
}
template <class Visit>
void fields(Visit& visit, ImageCollision& a) {
  visit("verdict", a.verdict);
  visit("complete", a.complete);
  visit("enclosing", a.enclosing);
  visit.template array<std::uint32_t>("pairs", a.pairs);  // {imageA, triangleA, imageB, triangleB}
  visit("spherePairCount", a.sphere_pair_count);
  visit("level", a.level);
  visit("position", a.position);
  visit("within", a.within);
  visit("sphereTestCount", a.sphere_test_count);
  visit("triangleTestCount", a.triangle_test_count);
}
template <class Visit>
void fields(Visit& visit, PushOutReport& a) {
  // {u32 particle, u32 triangle, f32 weights[3], f32 normal[3], f32 depth}
  visit.template array<std::uint32_t>("pushes", a.pushes);
  visit("turnedBackCount", a.turned_back_count);
  visit("deepest", a.deepest);
  visit("motion", a.motion);
  visit("cell", a.cell);
  visit("health", a.health);
  visit("ms", a.ms);
}
template <class Visit>
void fields(Visit& visit, ContactReport& a) {
  visit("verdict", a.verdict);
  visit("volume", a.volume);
  visit("energy", a.energy);
  visit("area", a.area);
  visit("deepest", a.deepest);
  visit("left", a.left);
  visit("push", a.push);
  visit("spanCount", a.span_count);
  visit("cell", a.cell);
  visit("health", a.health);
  visit("ms", a.ms);
}

}  // namespace lamella::wasm
