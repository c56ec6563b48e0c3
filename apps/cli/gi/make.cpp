#include <fmt/core.h>

#include <array>
#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostCuts = 10'000;
constexpr int kFewestLevels = 2;      ///< 3 x 3 vertices do not close around anything
constexpr double kMuchVolume = 0.05;  ///< lost or gained, as a part of the mesh's

struct Args {
  std::string mesh;
  double scale = 1;
  std::filesystem::path output;
  MakeImageOptions options;
  bool json = false;
};

struct Times {
  double read = 0, make = 0, write = 0;  ///< ms
  [[nodiscard]] double total() const { return read + make + write; }
};

/// What was made and of what, to speak of it.
struct Outcome {
  MadeImages made;
  double diagonal = 0;  ///< of the mesh's box
  std::uint64_t bytes = 0;
  Times ms;
};

Mesh get_mesh(const Args& args) {
  if (is_image_file(args.mesh)) {
    throw Error(fmt::format("{0}: is a geometry image already; `lamella gi info {0}` tells what is in it", args.mesh));
  }
  return load_world_mesh(args.mesh, args.scale);
}

/// The library speaks of the mesh; who has many files wants to know which.
MadeImages make_images(const Args& args, MeshView mesh) {
  MakeImageOptions options = args.options;
  Progress progress(fmt::format("{} to geometry image", file_name(args.mesh)));
  options.progress = progress.callback();
  try {
    return make_geometry_images(mesh, options);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", args.mesh, error.what()), error.kind());
  }
}

/// How much larger the image's volume is, as a part of the mesh's.
double volume_difference(const MakeImageReport& report) { return report.image_volume / report.volume - 1; }

nlohmann::ordered_json report_json(const MakeImageReport& report, double diagonal) {
  nlohmann::ordered_json out{{"triangles", report.triangle_count}, {"genus", report.genus}};
  out["cut"] = {{"edges", report.cut_edge_count}, {"length", report.cut_length}, {"paths", report.cut_path_count}};
  out["flipped"] = report.flipped_count;
  out["stretch"] = finite_json(report.stretch);
  out["volume"] = report.volume;
  out["image_volume"] = report.image_volume;
  out["volume_difference"] = finite_json(volume_difference(report));
  out["distance"] = report.distance;
  out["relative_distance"] = finite_json(report.distance / diagonal);
  out["map_distance"] = report.map_distance;
  return out;
}

nlohmann::ordered_json make_json(const Args& args, const Outcome& outcome) {
  const Times& ms = outcome.ms;
  nlohmann::ordered_json out{{"query", "gi make"}, {"n", args.options.n}};
  out["images"] = nlohmann::ordered_json::array();
  for (const MakeImageReport& report : outcome.made.reports) {
    out["images"].push_back(report_json(report, outcome.diagonal));
  }
  out["diagonal"] = outcome.diagonal;
  out["output"] = args.output.string();
  out["bytes"] = outcome.bytes;
  out["ms"] = {{"read", ms.read}, {"make", ms.make}, {"write", ms.write}, {"total", ms.total()}};
  out["file"] = args.mesh;
  return out;
}

std::string volume_text(const MakeImageReport& report) {
  const double difference = volume_difference(report);
  return fmt::format("mesh {}{}, image {}{}", to_text(report.volume), report.volume < 0 ? " (inside out)" : "",
                     to_text(report.image_volume),
                     std::isfinite(difference) ? fmt::format(" ({:+.3g} %)", 100 * difference) : "");
}

std::string distance_text(const MakeImageReport& report, double diagonal) {
  const std::string part =
      diagonal > 0 ? fmt::format(" ({} of the diagonal {})", percent(report.distance / diagonal), to_text(diagonal))
                   : "";
  return fmt::format("{} from a vertex to the image, at most{}", to_text(report.distance), part);
}

void print_report(const MakeImageReport& report, double diagonal) {
  print_line("triangles", grouped(report.triangle_count));
  print_line("genus", fmt::format("{}", report.genus));
  print_line("cut", fmt::format("{} in {}, length {}", counted(report.cut_edge_count, "edge"),
                                counted(static_cast<std::uint64_t>(report.cut_path_count), "path"),
                                to_text(report.cut_length)));
  print_line("map", fmt::format("stretch {:.4g} (1 is best), {} flipped", report.stretch,
                                counted(report.flipped_count, "triangle")));
  if (report.flipped_count > 0) {
    print_line("", "those are so thin in the map that no sample falls into them");
  }
  print_line("volume", volume_text(report));
  const double difference = volume_difference(report);
  if (std::isfinite(difference) && std::abs(difference) > kMuchVolume) {
    print_line("",
               fmt::format("differs by more than {:.0f} %: use a larger -n, or refine long thin triangles of the mesh",
                           100 * kMuchVolume));
  }
  print_line("distance", distance_text(report, diagonal));
  print_line("", fmt::format("{} between points that the map takes to each other", to_text(report.map_distance)));
}

void print_text(const Args& args, const Outcome& outcome) {
  const std::size_t count = outcome.made.reports.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > 1) fmt::print("image {} of {}\n", i, count);
    print_report(outcome.made.reports[i], outcome.diagonal);
    if (count > 1) fmt::print("\n");
  }
  const GeometryImage& first = outcome.made.images.front();
  print_line("file", fmt::format("{}: {} of {} vertices, {}", args.output.string(), counted(count, "image"),
                                 size_text(first.side(), first.side()), bytes_text(outcome.bytes)));
  print_line("time", fmt::format("{:.2f} s (reading {:.2f}, making {:.2f}, writing {:.2f})", outcome.ms.total() / 1e3,
                                 outcome.ms.read / 1e3, outcome.ms.make / 1e3, outcome.ms.write / 1e3));
}

/// The exit status: kAnswered when the file was written. A signal meanwhile ends it without one, and removes what there
/// is of it; while the image is being made there is nothing to remove, and signals end the program as they do
/// elsewhere.
int write_output(const Args& args, const std::vector<GeometryImage>& images) {
  struct Stopped {};
  const Interrupt interrupt;
  try {
    Progress progress(file_name(args.output));
    write_images(args.output, images, {.progress = [&](std::uint64_t done, std::uint64_t total) {
                   if (interrupt.signal() != 0) throw Stopped();
                   progress.update(done, total);
                 }});
  } catch (const Stopped&) {
    complain(fmt::format("stopped by {}; {} is not written",
                         interrupt.signal() == SIGINT ? "Ctrl-C" : "a signal (SIGTERM)", args.output.string()));
    return 128 + interrupt.signal();  // as shells have it
  }
  return kAnswered;
}

int run(const Args& args) {
  if (args.output.empty()) throw Error("gi make: where to? Add -o FILE.tiff");
  Outcome outcome;
  const Stopwatch reading;
  const Mesh mesh = get_mesh(args);
  outcome.ms.read = reading.ms();
  const Vec3d size = to_double(extent(bounds(mesh)));
  outcome.diagonal = std::sqrt(dot(size, size));

  const Stopwatch making;
  outcome.made = make_images(args, mesh);
  outcome.ms.make = making.ms();
  const Stopwatch writing;
  if (const int status = write_output(args, outcome.made.images); status != kAnswered) return status;
  outcome.ms.write = writing.ms();
  outcome.bytes = std::filesystem::file_size(args.output);
  args.json ? print_json(make_json(args, outcome)) : print_text(args, outcome);
  return kAnswered;
}

void add_options(const Command& command, Args& args) {
  add_mesh_argument(command, "MESH", args.mesh, "closed mesh of any genus").required();
  add_scale_option(command, "--scale", args.scale, "the mesh");
  add_count(command, "-n", kFewestLevels, kMaxImageLevels, args.options.n,
            "2 to 13: (2^n + 1) x (2^n + 1) vertices for each component; 8: 257 x 257")
      .default_str(std::to_string(args.options.n));
  command.add_text(
      "-o,--output", "FILE.tiff",
      [&](const std::string& text) {
        args.output = check_output("-o", text, std::array<std::string_view, 2>{".tiff", ".tif"});
      },
      "what to write: positions, normals and spheres of every image");
  add_count(command, "--max-cuts", 0, kMostCuts, args.options.max_cuts,
            "paths by which the cut may grow into what would get too few samples")
      .default_str(std::to_string(args.options.max_cuts));
  add_threads_option(command, args.options.threads);
  add_memory_option(command);
  command.add_flag("--json", args.json, "one JSON object on stdout");
}

}  // namespace

void add_gi_make(const Command& gi, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = gi.add_subcommand("make", "Cut a closed mesh open and sample it: an image per component");
  add_options(command, *args);
  command.footer("Example:\n  lamella gi make model:rabbit -n 7 -o rabbit.tiff");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
