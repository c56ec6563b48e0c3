#include "session/queries.hpp"

#include <algorithm>

#include "answer/depth.hpp"
#include "answer/distance.hpp"
#include "lamella/error.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostDirections = 100'000;

Axis read_axis(const std::string& word) {
  if (word == "x") return Axis::x;
  if (word == "y") return Axis::y;
  if (word == "z") return Axis::z;
  throw Error("'axis' is none of: x, y, z");
}

Tolerance read_tolerance(const Request& tolerance) {
  const Tolerance out{tolerance.has("relative") ? tolerance.number("relative") : 0,
                      tolerance.has("absolute") ? tolerance.number("absolute") : 0};
  if (!(out.relative >= 0 && out.absolute >= 0 && out.relative + out.absolute > 0))
    throw Error("'tolerance' needs 'relative' or 'absolute', above 0");
  return out;
}

/// A part of the depth: from 0 up to 1.
float read_thickness(const Request& options) {
  const double part = options.number("min_thickness");
  if (!(part >= 0 && part < 1)) throw Error("'min_thickness' is no part of the depth: a number from 0 up to 1");
  return static_cast<float>(part);
}

Json query_intersect(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object &a = workspace.objects.at(request.id("a")), &b = workspace.objects.at(request.id("b"));
  Options options = read_options(workspace, request);
  options.explain = true;
  options.keep_spans = request.wants("spans");
  const Overlap& overlap = workspace.detectors.intersect(a, b, options);
  Json out{{"answer", answer::overlap_json("intersect", overlap, options.resolution, subjects_of(options, {&a, &b}))}};
  if (request.wants("spans")) out["spans"] = spans_json(overlap.grid, overlap.origin, overlap.spans, writer);
  if (request.wants("solid")) out["solid"] = solid_json(a, b, options, request, writer);
  if (!request.wants("forces")) return out;
  const OverlapGradient& gradient = workspace.detectors.volume_gradient(a, b, options);
  out["answer"]["gradient"] = answer::gradient_json(gradient.sums, gradient.centroid, true);
  out["forces"] = {{"a", writer.add(gradient.vertices_a)}, {"b", writer.add(gradient.vertices_b)}};
  return out;
}

Json query_self(Workspace& workspace, const Request& request, PacketWriter& writer) {
  Object& object = workspace.objects.at(request.id("id"));
  Options options = read_options(workspace, request);
  options.keep_spans = request.wants("spans");
  const SelfOverlap& overlap = workspace.detectors.self_intersect(object, options);
  Json out{{"answer", answer::self_json(overlap, options.resolution, subjects_of(options, {&object}))}};
  if (request.wants("spans")) {
    out["spans"] = spans_json(overlap.grid, overlap.origin, overlap.spans, writer);
    out["inside_out_spans"] = spans_json(overlap.grid, overlap.origin, overlap.inside_out, writer);
  }
  if (request.wants("solid")) out["solid"] = self_solid_json(object, options, request, writer);
  if (!request.wants("forces")) return out;
  const SelfGradient& gradient = workspace.detectors.self_gradient(object, options);
  out["answer"]["gradient"] = answer::gradient_json(gradient.sums, gradient.centroid, false);
  out["forces"] = {{"a", writer.add(gradient.vertices)}};
  return out;
}

Json query_depth(Workspace& workspace, const Request& request, PacketWriter&) {
  Object &a = workspace.objects.at(request.id("a")), &b = workspace.objects.at(request.id("b"));
  answer::DepthOptions options{.query = read_options(workspace, request)};
  for (const Request& given : {request.inside("options"), request})
    options.directions = given.whole_or("directions", options.directions, 1, kMostDirections);
  const answer::DepthAnswer found = answer::measure_depth(a.placed(), b.placed(), options);
  return {{"answer", answer::depth_json(found, subjects_of(options.query, {&a, &b}))}};
}

Json query_distance(Workspace& workspace, const Request& request, PacketWriter&) {
  Object &a = workspace.objects.at(request.id("a")), &b = workspace.objects.at(request.id("b"));
  const Options options = read_options(workspace, request);
  const MeshDistance found = distance(a.placed(), b.placed(), options.threads);
  return {{"answer", answer::whole_distance_json(found, subjects_of(options, {&a, &b}))}};
}

constexpr std::pair<std::string_view, Operation> kKinds[] = {
    {"intersect", query_intersect}, {"self", query_self},       {"depth", query_depth},
    {"distance", query_distance},   {"scene", query_scene},     {"layers", query_layers},
    {"contain", query_contain},     {"closest", query_closest}, {"times", query_times},
};

template <class T>
std::vector<T> each(std::span<const Span> spans, T Span::*member) {
  std::vector<T> out(spans.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = spans[i].*member;
  return out;
}

}  // namespace

Options read_options(const Workspace& workspace, const Request& request) {
  const Request given = request.inside("options");
  Options options;
  if (given.has("engine")) options.engine = given.text("engine");
  options.resolution = given.whole_or("resolution", options.resolution, 1, kMostResolution);
  if (given.has("axis")) options.axis = read_axis(given.text("axis"));
  options.threads = given.whole_or("threads", workspace.options.threads, 0, kMaxThreads);
  if (given.has("tolerance")) options.tolerance = read_tolerance(given.inside("tolerance"));
  options.certify = given.flag("certify");
  if (given.has("min_thickness")) options.min_thickness = read_thickness(given);
  options.max_crossings = kMostCrossings;  // however many more a command was given
  if (given.has("max_crossings"))
    options.max_crossings = std::min<std::uint64_t>(kMostCrossings, given.whole("max_crossings", 1, ~std::uint32_t{0}));
  options.around_points = given.flag("around_points");
  options.close_holes = !given.flag("as_is");
  options.keep_spans = false;
  return options;
}

answer::Subjects subjects_of(const Options& options, std::initializer_list<const Object*> objects) {
  answer::Subjects subjects;
  for (const Object* object : objects) subjects.names.push_back(object->name);
  subjects.tolerance = options.tolerance.has_value();
  subjects.certify = options.certify;
  return subjects;
}

Json grid_json(const Grid& grid, Vec3d origin) {
  constexpr const char* kAxes[] = {"x", "y", "z"};
  return {{"box", answer::to_json(grid.box)},
          {"axis", kAxes[grid.w()]},
          {"columns", grid.columns},
          {"rows", grid.rows},
          {"origin", answer::to_json(origin)}};
}

Json spans_json(const Grid& grid, Vec3d origin, std::span<const Span> spans, PacketWriter& writer) {
  return {{"grid", grid_json(grid, origin)},
          {"columns", writer.add(each(spans, &Span::column))},
          {"begin", writer.add(each(spans, &Span::begin))},
          {"end", writer.add(each(spans, &Span::end))}};
}

Json query(Workspace& workspace, const Request& request, PacketWriter& writer) {
  const std::string kind = request.text("kind");
  for (const auto& [known, operation] : kKinds)
    if (kind == known) return operation(workspace, request, writer);
  throw Error("there is no query of the kind '" + short_name(kind) + "'");
}

}  // namespace lamella::session
