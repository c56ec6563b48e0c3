#include "cli/simulate/film.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "answer/json.hpp"
#include "cli/common.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

using session::Json;

constexpr double kRigid = 1.0 / 32768;    ///< of a solid's size: what 16 bits of its box tell apart
constexpr std::size_t kPlacesOfPose = 3;  ///< a pose takes as much as so many vertices

struct Basis {
  Vec3d x, y, z;
};

/// Nothing when the points are on a line.
std::optional<Basis> basis_of(Vec3d at, Vec3d along, Vec3d beside) {
  const Vec3d u = along - at, w = cross(u, beside - at);
  const double lu = length(u), lw = length(w);
  if (!(lu > 0) || !(lw > lu * lu * 1e-6)) return std::nullopt;
  const Vec3d x = u * (1 / lu), z = w * (1 / lw);
  return Basis{x, cross(z, x), z};
}

/// The rotation from one basis to the other, by the largest part of the quaternion first: none is then divided by a
/// small number.
Quaternion rotation_between(const Basis& from, const Basis& to) {
  const auto entry = [&](int row, int column) {
    return to.x[row] * from.x[column] + to.y[row] * from.y[column] + to.z[row] * from.z[column];
  };
  const double xx = entry(0, 0), yy = entry(1, 1), zz = entry(2, 2);
  const std::array<double, 4> squares{1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
  const double yx = entry(1, 0) + entry(0, 1), zx = entry(2, 0) + entry(0, 2), zy = entry(2, 1) + entry(1, 2);
  const double wx = entry(2, 1) - entry(1, 2), wy = entry(0, 2) - entry(2, 0), wz = entry(1, 0) - entry(0, 1);
  switch (std::max_element(squares.begin(), squares.end()) - squares.begin()) {
    case 0:
      return normalized({squares[0], yx, zx, wx});
    case 1:
      return normalized({yx, squares[1], zy, wy});
    case 2:
      return normalized({zx, zy, squares[2], wz});
    default:
      return normalized({wx, wy, wz, squares[3]});
  }
}

/// Three that span the most: the first, the farthest from it, the farthest from both.
std::array<std::size_t, 3> spanning(std::span<const Vec3> points) {
  std::array<std::size_t, 3> out{};
  const Vec3d first = to_double(points[0]);
  double most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double far = length(to_double(points[i]) - first);
    if (far > most) most = far, out[1] = i;
  }
  const Vec3d second = to_double(points[out[1]]);
  most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double area = length(cross(second - first, to_double(points[i]) - first));
    if (area > most) most = area, out[2] = i;
  }
  return out;
}

/// The vertices that triangles use, those in one cell of a grid of `cells` along the longest side as one: the first of
/// them. `cells` 0: each by itself.
struct Merged {
  std::vector<std::uint32_t> kept;
  std::vector<Triangle> triangles;
};
Merged merge(MeshView mesh, std::uint32_t cells) {
  const Aabb box = bounds(mesh);
  const Vec3 size = extent(box);
  const float cell = cells == 0 ? 0 : std::max({size.x, size.y, size.z}) / static_cast<float>(cells);
  Merged out;
  std::unordered_map<std::uint64_t, std::uint32_t> places;
  std::vector<std::uint32_t> number(mesh.positions.size(), ~0u);
  const auto of = [&](std::uint32_t v) {
    if (number[v] != ~0u) return number[v];
    const auto next = static_cast<std::uint32_t>(out.kept.size());
    if (cell > 0) {
      const Vec3 p = (mesh.positions[v] - box.min) * (1 / cell);
      const auto key = static_cast<std::uint64_t>(p.x) << 42 | static_cast<std::uint64_t>(p.y) << 21 |
                       static_cast<std::uint64_t>(p.z);
      const auto [at, added] = places.emplace(key, next);
      if (!added) return number[v] = at->second;
    }
    out.kept.push_back(v);
    return number[v] = next;
  };
  for (const Triangle& t : mesh.triangles) {
    const Triangle merged{of(t.a), of(t.b), of(t.c)};
    if (merged.a != merged.b && merged.b != merged.c && merged.c != merged.a) out.triangles.push_back(merged);
  }
  return out;
}

Merged merge_to(MeshView mesh, std::size_t most) {
  Merged out = merge(mesh, 0);
  for (std::uint32_t cells = 1u << 10; out.kept.size() > most && cells > 1; cells = cells * 3 / 4)
    out = merge(mesh, cells);
  return out;
}

/// Positions, which may be rounded to 16-bit steps of their box.
Json in_steps(session::PacketWriter& packet, const std::vector<Vec3>& positions) {
  Json out = packet.add(positions);
  out["steps"] = true;
  return out;
}

Json color_json(simulate::Color c) { return {c.r, c.g, c.b}; }
bool same(simulate::Color a, simulate::Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

}  // namespace

std::optional<Transform> rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to) {
  if (std::equal(from.begin(), from.end(), to.begin(), to.end())) return Transform{};
  const auto [a, b, c] = spanning(from);
  const auto before = basis_of(to_double(from[a]), to_double(from[b]), to_double(from[c]));
  const auto after = basis_of(to_double(to[a]), to_double(to[b]), to_double(to[c]));
  if (!before || !after) return std::nullopt;
  Transform motion{{}, rotation_between(*before, *after)};
  motion.translation = to_double(to[a]) - rotate(motion.rotation, to_double(from[a]));
  const double slack = kRigid * length(to_double(from[b]) - to_double(from[a]));
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!(length(apply(motion, to_double(from[i])) - to_double(to[i])) <= slack)) return std::nullopt;
  return motion;
}

void Film::begin(const simulate::Drawing& drawing) {
  std::size_t vertices = 0;
  for (const auto& solid : drawing.solids) vertices += solid.mesh.positions.size();
  for (const auto& solid : drawing.solids) {
    const double part = static_cast<double>(limits_.vertices) / static_cast<double>(std::max<std::size_t>(vertices, 1));
    const auto most = static_cast<std::size_t>(static_cast<double>(solid.mesh.positions.size()) * part);
    Merged merged = merge_to(solid.mesh, std::max<std::size_t>(most, 8));
    solids_.push_back({std::move(merged.kept), std::move(merged.triangles), solid.mesh.triangles.size(), solid.color,
                       solid.opacity, nullptr});
  }
  for (const auto& dots : drawing.dots) dots_.push_back({{}, dots.color, dots.radius});
  view_ = drawing.view;
  looking_ = drawing.looking;
}

Film::Place Film::place_of(Solid& solid, const simulate::Drawing::Solid& drawn) const {
  std::vector<Vec3> now;
  now.reserve(solid.kept.size());
  for (const std::uint32_t v : solid.kept) now.push_back(drawn.mesh.positions[v]);
  if (solid.base) {
    if (const auto motion = rigid_motion(*solid.base, now)) return {solid.base, *motion, drawn.color};
  }
  solid.base = std::make_shared<const std::vector<Vec3>>(std::move(now));
  return {solid.base, {}, drawn.color};
}

std::vector<Vec3> Film::thinned(std::vector<Vec3> dots, std::size_t all) {
  const std::size_t part = (all + limits_.dots - 1) / limits_.dots;
  dot_part_ = std::max(dot_part_, part);
  // Which dot is which is not kept. In this order neighbours in the array are near each other, and take less.
  std::sort(dots.begin(), dots.end(), [](Vec3 a, Vec3 b) { return a.x < b.x; });
  if (part <= 1) return dots;
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < dots.size(); i += part) out.push_back(dots[i]);
  return out;
}

void Film::add(const simulate::Drawing& drawing, Json figures) {
  if (given_ == 0) begin(drawing);
  if (given_++ % stride_ != 0) return;
  bool fits = drawing.solids.size() == solids_.size() && drawing.dots.size() == dots_.size();
  for (std::size_t i = 0; fits && i < solids_.size(); ++i)
    fits = drawing.solids[i].mesh.triangles.size() == solids_[i].faces;
  if (!fits) throw Error("--html: the simulation draws other bodies than at its start");
  Step step{.solids = {}, .dots = {}, .figures = std::move(figures), .note = drawing.note};
  for (std::size_t i = 0; i < solids_.size(); ++i) step.solids.push_back(place_of(solids_[i], drawing.solids[i]));
  std::size_t all = 0;
  for (const auto& dots : drawing.dots) all += dots.positions.size();
  for (const auto& dots : drawing.dots) step.dots.push_back(thinned(dots.positions, all));
  places_ += places_of(step, steps_.empty() ? nullptr : &steps_.back());
  steps_.push_back(std::move(step));
  while (steps_.size() > 2 && places_ > limits_.places) drop_every_second();
}

std::size_t Film::places_of(const Step& step, const Step* before) {
  std::size_t count = kPlacesOfPose * step.solids.size();
  for (std::size_t i = 0; i < step.solids.size(); ++i)
    if (before == nullptr || before->solids[i].base != step.solids[i].base) count += step.solids[i].base->size();
  for (const auto& dots : step.dots) count += dots.size();
  return count;
}

void Film::drop_every_second() {
  for (std::size_t i = 0; 2 * i < steps_.size(); ++i)
    if (i != 0) steps_[i] = std::move(steps_[2 * i]);
  steps_.resize((steps_.size() + 1) / 2);
  stride_ *= 2;
  places_ = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) places_ += places_of(steps_[i], i == 0 ? nullptr : &steps_[i - 1]);
}

Json Film::step_json(const Step& step, const Step* before, session::PacketWriter& packet) const {
  Json positions = Json::array(), dots = Json::array();
  std::vector<float> poses;
  std::vector<std::uint8_t> colors;
  bool recolored = false;
  for (std::size_t i = 0; i < step.solids.size(); ++i) {
    const Place& place = step.solids[i];
    const bool known = before != nullptr && before->solids[i].base == place.base;
    positions.push_back(known ? Json(nullptr) : in_steps(packet, *place.base));
    const Vec3d& t = place.pose.translation;
    const Quaternion& q = place.pose.rotation;
    for (const double number : {t.x, t.y, t.z, q.x, q.y, q.z, q.w}) poses.push_back(static_cast<float>(number));
    for (const std::uint8_t part : {place.color.r, place.color.g, place.color.b}) colors.push_back(part);
    recolored = recolored || !same(place.color, solids_[i].color);
  }
  for (const auto& places : step.dots) dots.push_back(in_steps(packet, places));
  Json out{{"positions", std::move(positions)}, {"poses", packet.add(std::move(poses))}, {"dots", std::move(dots)}};
  if (recolored) out["colors"] = packet.add(std::move(colors));
  out["figures"] = step.figures;
  out["note"] = step.note;
  return out;
}

Json Film::finish(session::PacketWriter& packet) const {
  Json out{{"solids", Json::array()}, {"dots", Json::array()}, {"steps", Json::array()}};
  for (const Solid& solid : solids_)
    out["solids"].push_back(
        {{"triangles", packet.add(solid.triangles)}, {"color", color_json(solid.color)}, {"opacity", solid.opacity}});
  for (const auto& dots : dots_) out["dots"].push_back({{"color", color_json(dots.color)}, {"radius", dots.radius}});
  const Step* before = nullptr;
  for (const Step& step : steps_) out["steps"].push_back(step_json(step, std::exchange(before, &step), packet));
  out["rate"] = rate_ / static_cast<double>(stride_);
  out["bounds"] = answer::to_json(view_);
  out["looking"] = answer::to_json(looking_);
  return out;
}

std::vector<std::string> Film::notes() const {
  std::vector<std::string> notes;
  std::size_t faces = 0, kept = 0;
  for (const Solid& solid : solids_) {
    faces += solid.faces;
    kept += solid.triangles.size();
  }
  if (kept < faces)
    notes.push_back(
        fmt::format("The bodies are drawn with {} of their {}.", grouped(kept), counted(faces, "triangle")));
  if (stride_ > 1)
    notes.push_back(fmt::format("To keep the file small, {} of {} are here.", grouped(steps_.size()),
                                counted(given_, "recorded frame")));
  if (dot_part_ > 1) notes.push_back(fmt::format("Of the particles 1 in {} is drawn.", dot_part_));
  return notes;
}

}  // namespace lamella::cli
