#include "cli/common.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/progress.hpp"
#include "cli/repair_input.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

/// Where print() goes instead of stdout. One for the program, as stdout is.
std::string* g_printed = nullptr;
/// Where complain() goes instead of stderr.
std::string* g_complained = nullptr;

constexpr int kDigits = 8;  ///< that a float has, about

/// Far from the origin eight digits would not tell places apart.
std::string wide_text(Vec3d p) { return fmt::format("{:.13g}, {:.13g}, {:.13g}", p.x, p.y, p.z); }

bool is_identity(const Transform& pose) {
  const Quaternion& r = pose.rotation;
  return pose.translation == Vec3d{} && r.x == 0 && r.y == 0 && r.z == 0;
}

/// The distance of floats at the mesh's farthest coordinate.
double float_step(const Mesh& mesh) {
  const double farthest = std::max({std::abs(mesh.origin.x), std::abs(mesh.origin.y), std::abs(mesh.origin.z)});
  const auto at = static_cast<float>(farthest);
  return double{std::nextafter(at, HUGE_VALF)} - double{at};
}

Mesh read_input(const std::filesystem::path& path) {
  if (is_model(path)) return parse_model(path.string()).make();
  Progress progress(file_name(path));
  return read_mesh(path, {.progress = progress.callback(), .max_memory = memory_limit()});
}

std::vector<MeshPart> read_input_parts(const std::filesystem::path& path, Split split, bool keep_doubles) {
  if (!is_model(path)) {
    Progress progress(file_name(path));
    return read_parts(path, split,
                      {.progress = progress.callback(), .max_memory = memory_limit(), .keep_doubles = keep_doubles});
  }
  Mesh mesh = parse_model(path.string()).make();
  std::vector<MeshPart> parts;
  if (split == Split::components) {
    for (Mesh& part : split_components(mesh)) parts.push_back({"", std::move(part)});
  } else {
    parts.push_back({"", std::move(mesh)});
  }
  for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i) parts[i].name = fmt::format("component {}", i + 1);
  return parts;
}

/// The nearest floats; infinite beyond float's range, which the cast alone leaves undefined.
Vec3 narrowed(Vec3d p) {
  constexpr float kMost = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity();
  Vec3 out;
  for (int i = 0; i < 3; ++i) out[i] = p[i] > kMost ? kInfinity : p[i] < -kMost ? -kInfinity : static_cast<float>(p[i]);
  return out;
}

}  // namespace

Mesh load_mesh(const std::filesystem::path& path) {
  Mesh mesh = read_input(path);
  if (repair_wanted()) repair_input(mesh, file_name(path));
  return mesh;
}

Mesh load_mesh(const std::filesystem::path& path, const Placement& placement) {
  Mesh mesh = load_mesh(path);
  scale(mesh, placement.scale);
  if (!is_identity(placement.pose)) transform(mesh, placement.pose);
  return mesh;
}

Mesh load_world_mesh(const std::filesystem::path& path, double factor) {
  Mesh mesh = load_mesh(path);
  scale(mesh, factor);
  if (!(mesh.origin == Vec3d{})) {
    complain(fmt::format("{}: is far from the origin, where this command rounds coordinates to multiples of {}",
                         path.string(), to_text(float_step(mesh))),
             "Move the mesh nearer to the origin for more digits.");
  }
  return in_world(std::move(mesh));
}

Mesh relative_to(const Mesh& mesh, Vec3d origin) {
  return {placed_positions(mesh, {}, origin), mesh.triangles, origin};
}

std::vector<MeshPart> load_parts(const std::filesystem::path& path, Split split, bool keep_doubles) {
  std::vector<MeshPart> parts = read_input_parts(path, split, keep_doubles);
  if (!repair_wanted()) return parts;
  for (MeshPart& part : parts)
    repair_input(part.mesh, part.name.empty() ? file_name(path) : fmt::format("{}: {}", file_name(path), part.name));
  return parts;
}

MeshInstances one_each(std::vector<MeshPart> parts) {
  MeshInstances all;
  for (MeshPart& part : parts) {
    all.instances.push_back({part.name, static_cast<std::uint32_t>(all.meshes.size()), {}});
    all.mesh_names.push_back(std::move(part.name));
    all.meshes.push_back(std::move(part.mesh));
  }
  return all;
}

MeshInstances load_instances(const std::filesystem::path& path, Split split, bool keep_doubles) {
  if (is_model(path)) return one_each(load_parts(path, split));
  Progress progress(file_name(path));
  MeshInstances all = read_instances(
      path, split, {.progress = progress.callback(), .max_memory = memory_limit(), .keep_doubles = keep_doubles});
  if (!repair_wanted()) return all;
  for (std::size_t i = 0; i < all.meshes.size(); ++i) {
    const std::string& name = all.mesh_names[i];
    repair_input(all.meshes[i], name.empty() ? file_name(path) : fmt::format("{}: {}", file_name(path), name));
  }
  return all;
}

std::vector<Vec3> load_points(const std::filesystem::path& path) {
  if (is_model(path)) return parse_model(path.string()).make().positions;
  Progress progress(file_name(path));
  return read_points(path, {.progress = progress.callback(), .max_memory = memory_limit()});
}

std::vector<Vec3d> load_wide_points(const std::filesystem::path& path) {
  if (!is_model(path)) {
    Progress progress(file_name(path));
    return read_wide_points(path, {.progress = progress.callback(), .max_memory = memory_limit()});
  }
  std::vector<Vec3d> points;
  for (const Vec3& p : parse_model(path.string()).make().positions) points.push_back(to_double(p));
  return points;
}

void scale(std::span<Vec3> positions, double factor) {
  if (factor == 1) return;
  for (Vec3& p : positions) p = narrowed(to_double(p) * factor);
}

void scale(Mesh& mesh, double factor) {
  if (factor == 1) return;
  if (exact_view(mesh).wide.empty()) mesh.wide.clear();
  scale(mesh.positions, factor);
  mesh.origin = mesh.origin * factor;
  for (std::size_t i = 0; i < mesh.wide.size(); ++i) {
    mesh.wide[i] = mesh.wide[i] * factor;
    mesh.positions[i] = narrowed(mesh.wide[i]);
  }
}

std::string file_name(const std::filesystem::path& path) { return printable(path.filename().string()); }

bool has_extension(const std::filesystem::path& path, std::span<const std::string_view> extensions) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string to_text(double value) { return fmt::format("{:.6g}", value); }
std::string volume_text(double volume, double error, Bound bound) {
  constexpr int kFewest = -6, kMost = 9;  // decimal places that are written out
  if (!(error > 0) || !std::isfinite(error)) return to_text(volume);
  const char* const cases = bound == Bound::said ? " (95 %)" : "";
  // One digit of the error, rounded up.
  int place = static_cast<int>(std::floor(std::log10(error)));
  double digit = std::ceil(error / std::pow(10.0, place) * (1 - 1e-12));
  if (digit >= 10) {
    digit = 1;
    ++place;
  }
  const double shown = digit * std::pow(10.0, place);
  if (-place >= kFewest && -place <= kMost) {
    const int decimals = std::max(-place, 0);
    return fmt::format("{:.{}f} ± {:.{}f}{}", volume, decimals, shown, decimals, cases);
  }
  const int power = static_cast<int>(std::floor(std::log10(std::max(volume, error))));
  const double unit = std::pow(10.0, power);
  return fmt::format("({:.{}f} ± {:.{}f})e{}{}", volume / unit, power - place, shown / unit, power - place, power,
                     cases);
}
std::string to_text(Vec3 p) { return fmt::format("{}, {}, {}", p.x, p.y, p.z); }
std::string to_text(Vec3d p) {
  const double largest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const double digits = largest > 0 && std::isfinite(largest) ? std::floor(std::log10(largest)) - (kDigits - 1) : 0;
  const double step = std::pow(10, std::abs(digits));  // a power with a negative exponent would be rounded
  const auto rounded = [&](double x) { return (digits < 0 ? std::round(x * step) / step : x) + 0.0; };
  return fmt::format("{:.{}g}, {:.{}g}, {:.{}g}", rounded(p.x), kDigits, rounded(p.y), kDigits, rounded(p.z), kDigits);
}
std::string to_text(const Aabb& box, Vec3d origin) {
  if (box.empty()) return "none";
  if (origin != Vec3d{})
    return fmt::format("{} to {}", wide_text(to_double(box.min) + origin), wide_text(to_double(box.max) + origin));
  return fmt::format("{} to {}", to_text(box.min), to_text(box.max));
}
std::string percent(double part) { return fmt::format("{:.3g} %", part * 100); }
std::string counted(std::uint64_t n, std::string_view noun) {
  if (n == 1) return fmt::format("1 {}", noun);
  for (const auto& [end, plural] :
       {std::pair("vertex", "vertices"), std::pair("cavity", "cavities"), std::pair("mesh", "meshes")})
    if (noun.ends_with(end))
      return fmt::format("{} {}{}", grouped(n), noun.substr(0, noun.size() - std::string_view(end).size()), plural);
  return fmt::format("{} {}s", grouped(n), noun);
}

void print(std::string_view text) {
  if (g_printed != nullptr) {
    *g_printed += text;
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

std::string printed(const std::function<void()>& answer) {
  std::string text;
  struct Restore {
    std::string* before = std::exchange(g_printed, nullptr);
    ~Restore() { g_printed = before; }
  } const restore;
  g_printed = &text;
  answer();
  return text;
}

void print_line(std::string_view label, std::string_view text) {
  print(fmt::format("{:<12}  {}\n", printable(label), printable(text)));
}

void complain(std::string_view text, std::string_view hint) {
  std::string lines = fmt::format("lamella: {}\n", printable(text));
  if (!hint.empty()) lines += printable(hint) + "\n";
  if (g_complained != nullptr) {
    *g_complained += lines;
  } else {
    std::fwrite(lines.data(), 1, lines.size(), stderr);
  }
}

std::string complaints(const std::function<void()>& call) {
  std::string text;
  struct Restore {
    std::string* before = std::exchange(g_complained, nullptr);
    ~Restore() { g_complained = before; }
  } const restore;
  g_complained = &text;
  call();
  return text;
}

std::string to_text(const Table& given) {
  Table table = given;
  for (auto& row : table.rows) {
    for (std::string& cell : row) cell = printable(cell);
  }
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(table.columns[c].heading.size());
    for (const auto& row : table.rows) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  const auto add_cell = [&](std::size_t c, const std::string& cell) {
    const bool last = c + 1 == table.columns.size();
    if (table.columns[c].right) {
      text += fmt::format("{:>{}}", cell, widths[c]);
    } else {
      text += fmt::format("{:<{}}", cell, last ? 0 : widths[c]);  // no blanks at a line's end
    }
    text += last ? "\n" : "  ";
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) add_cell(c, table.columns[c].heading);
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) add_cell(c, row[c]);
  }
  return text;
}

void print_json(const nlohmann::ordered_json& value) { print(to_line(value) + "\n"); }

}  // namespace lamella::cli
