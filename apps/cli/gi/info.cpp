#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/memory.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image_io.hpp"
#include "lamella/sphere_pyramid.hpp"

namespace lamella::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kCodes = 65535;  ///< steps of a 16-bit channel over the box

struct Args {
  std::vector<std::string> files;
  bool json = false;
};

/// Bytes of an image as collision detection keeps it.
struct Memory {
  std::uint64_t positions = 0, normals = 0, pyramid = 0;

  [[nodiscard]] std::uint64_t total() const { return positions + normals + pyramid; }
  /// As the paper counts: s is the positions alone, three values a vertex.
  [[nodiscard]] double in_s() const { return static_cast<double>(total()) / static_cast<double>(positions); }
};

struct ImageReport {
  int n = 0;
  std::uint32_t side = 0;
  std::uint64_t vertices = 0;
  Aabb box;  ///< the range of the file's positions
  Vec3d step;
  MeshReport mesh;
  Sphere root;
  std::vector<ImagePage> pages;
  std::uint64_t stored = 0;  ///< bytes of its pages' pixels
  Memory memory;
};

/// Takes the image, and lets go of each part of it as soon as it can: at n = 13 they are gigabytes.
ImageReport report_of(GeometryImage image, std::vector<ImagePage> pages) {
  ImageReport out;
  out.n = image.n;
  out.side = image.side();
  out.vertices = image.positions.size();
  out.box = pages.front().box;
  out.step = to_double(extent(out.box)) * (1 / kCodes);
  for (const ImagePage& page : pages) out.stored += page.stored_bytes;
  out.pages = std::move(pages);
  out.memory = {image.positions.size() * sizeof(Vec3), image.normals.size() * sizeof(Vec3), 0};
  image.normals = std::vector<Vec3>();
  {
    const SpherePyramid pyramid(image);
    out.root = pyramid.root();
    out.memory.pyramid = pyramid.pixels().size_bytes();
  }
  const Mesh mesh = to_mesh(image);
  image.positions = std::vector<Vec3>();
  out.mesh = inspect(mesh);
  return out;
}

std::vector<ImageReport> reports_of(const std::string& file) {
  std::vector<GeometryImage> images = load_images(file);
  std::vector<std::vector<ImagePage>> pages(images.size());
  for (const ImagePage& page : image_pages(file, {.max_memory = memory_limit()})) pages.at(page.image).push_back(page);
  std::vector<ImageReport> reports;
  for (std::size_t i = 0; i < images.size(); ++i)
    reports.push_back(report_of(std::move(images[i]), std::move(pages[i])));
  return reports;
}

constexpr std::string_view kind_name(ImagePage::Kind kind) {
  switch (kind) {
    case ImagePage::Kind::positions:
      return "positions";
    case ImagePage::Kind::normals:
      return "normals";
    case ImagePage::Kind::pyramid:
      break;
  }
  return "pyramid";
}

Json pages_json(const std::vector<ImagePage>& pages) {
  Json out = Json::array();
  for (const ImagePage& page : pages) {
    out.push_back({{"kind", kind_name(page.kind)},
                   {"width", page.width},
                   {"height", page.height},
                   {"channels", page.channels},
                   {"stored_bytes", page.stored_bytes}});
  }
  return out;
}

Json report_json(const ImageReport& r) {
  Json out{{"n", r.n}, {"side", r.side}, {"vertices", r.vertices}, {"triangles", r.mesh.triangles}};
  out["closed"] = r.mesh.closed;
  out["boundary_edges"] = r.mesh.boundary_edges;
  out["degenerate_triangles"] = r.mesh.degenerate_triangles;
  out["volume"] = r.mesh.volume;
  out["area"] = r.mesh.area;
  out["box"] = to_json(r.box);
  out["step"] = to_json(r.step);
  out["root"] = {{"center", to_json(Vec3{r.root.x, r.root.y, r.root.z})}, {"radius", shortest(r.root.radius)}};
  out["pages"] = pages_json(r.pages);
  out["stored_bytes"] = r.stored;
  out["memory"] = {{"positions", r.memory.positions},
                   {"normals", r.memory.normals},
                   {"pyramid", r.memory.pyramid},
                   {"total", r.memory.total()},
                   {"bytes_per_vertex", static_cast<double>(r.memory.total()) / static_cast<double>(r.vertices)},
                   {"s", r.memory.in_s()}};
  return out;
}

std::string closed_text(const MeshReport& mesh) {
  if (mesh.closed) return "yes: the two sides of the cut meet";
  if (mesh.nonmanifold_edges + mesh.inconsistent_edges == 0) {
    return fmt::format("no: {}, a sheet", counted(mesh.boundary_edges, "boundary edge"));
  }
  return fmt::format("no: {}, {}, {}", counted(mesh.boundary_edges, "boundary edge"),
                     counted(mesh.nonmanifold_edges, "non-manifold edge"),
                     counted(mesh.inconsistent_edges, "inconsistent edge"));
}

std::string pages_text(const ImageReport& r) {
  std::vector<std::string> parts;
  for (const ImagePage& page : r.pages) {
    parts.push_back(fmt::format("{} {} ({})", kind_name(page.kind), size_text(page.width, page.height),
                                bytes_text(page.stored_bytes)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_report(const ImageReport& r) {
  const auto per_vertex = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(r.vertices);
  };
  print_line("size", fmt::format("{} vertices (n = {}), {}", size_text(r.side, r.side), r.n,
                                 counted(r.mesh.triangles, "triangle")));
  print_line("closed", closed_text(r.mesh));
  if (r.mesh.degenerate_triangles != 0) {
    print_line("", fmt::format("{} without area", counted(r.mesh.degenerate_triangles, "triangle")));
  }
  print_line("volume", to_text(r.mesh.volume) + (r.mesh.closed ? "" : " (means little: the surface is not closed)"));
  print_line("area", to_text(r.mesh.area));
  print_line("box", to_text(r.box));
  print_line("step", fmt::format("{}: positions are stored to half of that", to_text(r.step)));
  print_line("root sphere", fmt::format("radius {} about {}", to_text(r.root.radius),
                                        to_text(to_double(Vec3{r.root.x, r.root.y, r.root.z}))));
  print_line("pages", pages_text(r));
  print_line("on disk", fmt::format("{}, {:.2f} bytes a vertex", bytes_text(r.stored), per_vertex(r.stored)));
  print_line("in memory",
             fmt::format("{}: positions {}, normals {}, spheres {}", bytes_text(r.memory.total()),
                         bytes_text(r.memory.positions), bytes_text(r.memory.normals), bytes_text(r.memory.pyramid)));
  print_line("", fmt::format("{:.2f} bytes a vertex; {:.3f} s, s being three values a vertex",
                             per_vertex(r.memory.total()), r.memory.in_s()));
}

void print_file(const std::string& file, const std::vector<ImageReport>& reports) {
  fmt::print("{}\n", printable(file));
  print_line("images", grouped(reports.size()));
  print_line("file", bytes_text(std::filesystem::file_size(file)));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports.size() > 1) fmt::print("\nimage {} of {}\n", i, reports.size());
    print_report(reports[i]);
  }
}

void print_file_json(const std::string& file, const std::vector<ImageReport>& reports) {
  Json out{{"query", "gi info"}, {"images", Json::array()}, {"bytes", std::filesystem::file_size(file)}};
  for (const ImageReport& report : reports) out["images"].push_back(report_json(report));
  out["file"] = file;
  print_json(out);
}

int run(const Args& args) {
  int status = kAnswered;
  bool first = true;
  for (const std::string& file : args.files) {
    try {
      const std::vector<ImageReport> reports = reports_of(file);
      if (!args.json && !first) fmt::print("\n");
      args.json ? print_file_json(file, reports) : print_file(file, reports);
      first = false;
    } catch (const Error& error) {  // the other files still get their report
      complain(error.what());
      status = kBadInput;
    }
  }
  return status;
}

}  // namespace

void add_gi_info(const Command& gi, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      gi.add_subcommand("info", "What a file of geometry images holds: sizes, closed or not, memory");
  command.add_option("FILE", args->files, "geometry images: .tiff .tif; several give one report each")
      .required()
      .type_name("");
  add_memory_option(command);
  command.add_flag("--json", args->json, "one JSON object per file, each on its line");
  command.footer(
      "Example:\n  lamella gi info rabbit.tiff\n`lamella gi make model:rabbit -o rabbit.tiff` makes such a file.");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
