#include <fmt/core.h>

#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/error.hpp"
#include "lamella/geometry_image_io.hpp"
#include "lamella/heights.hpp"
#include "picture/read_grey.hpp"

namespace lamella::cli {
namespace {

constexpr std::array<std::string_view, 3> kPictures{".png", ".tiff", ".tif"};
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;  ///< of a picture's file
constexpr double kSteepness = 0.1;  ///< from black to white, as a part of the larger side, when no size is given

struct Args {
  std::string picture;
  std::filesystem::path output;
  std::optional<int> n;
  std::optional<Vec3d> size;
  bool crop = false, json = false;
};

std::vector<std::byte> bytes_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path, failure) : 0;
  if (size == 0 || failure) throw Error(fmt::format("{}: cannot be read, is empty or is no file", printable(path)));
  const std::uint64_t most = memory_limit().value_or(kMostBytes);
  if (size > most) {
    throw Error(
        fmt::format("{}: {} are more than the {} that may be read; scale the picture first, or see --max-memory",
                    printable(path), bytes_text(size), bytes_text(most)));
  }
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) throw Error(fmt::format("{}: cannot be read to its end", printable(path)));
  return bytes;
}

Heights read_heights(const std::string& path) {
  if (!has_extension(path, kPictures)) {
    throw Error(
        fmt::format("{}: a terrain is read from .png, .tiff or .tif; a mesh becomes an image by `lamella gi make`",
                    printable(path)));
  }
  const std::vector<std::byte> bytes = bytes_of(path);
  return is_image_file(path) ? read_tiff_heights(bytes, path) : picture::read_png_heights(bytes, path);
}

/// The n whose 2^n + 1 is nearest to the larger side, as a ratio; when cropping, the largest that the smaller side has
/// room for.
int levels_for(const Heights& heights, bool crop) {
  const double side = crop ? std::min(heights.width, heights.height) : std::max(heights.width, heights.height);
  const double exact = std::log2(std::max(side - 1, 1.0));
  return std::clamp(static_cast<int>(crop ? std::floor(exact) : std::round(exact)), 2, kMaxImageLevels);
}

Vec3d size_of(const Args& args, const Heights& heights) {
  if (args.size) return *args.size;
  const double x = heights.width - 1.0, y = heights.height - 1.0;
  return {x, y, kSteepness * std::max(x, y)};
}

struct Outcome {
  std::uint32_t width = 0, height = 0;  ///< of the picture
  float most = 0;
  std::uint32_t side = 0;
  Vec3d size;
  std::string way{};  ///< how the one became the other
  double error = 0;   ///< straight up, in units of the size
  std::uint64_t bytes = 0;
  double ms = 0;
};

nlohmann::ordered_json to_json(const Args& args, const Outcome& o) {
  return {{"query", "gi terrain"},
          {"picture", {{"width", o.width}, {"height", o.height}, {"white", o.most}}},
          {"vertices", o.side},
          {"size", cli::to_json(o.size)},
          {"fitted", o.way},
          {"height_error", o.error},
          {"output", args.output.string()},
          {"bytes", o.bytes},
          {"ms", o.ms},
          {"file", args.picture}};
}

void print_text(const Args& args, const Outcome& o) {
  print_line("picture", fmt::format("{} points, white is {:g}", size_text(o.width, o.height), o.most));
  if (o.way == "as it is")
    print_line("terrain", fmt::format("{} vertices, a point each", size_text(o.side, o.side)));
  else
    print_line("terrain",
               fmt::format("{} vertices: {}, since an image has 2^n + 1 a side", size_text(o.side, o.side),
                           o.way == "cropped" ? "the middle of the picture" : "the whole picture, resampled"));
  print_line("size",
             fmt::format("{} x {} x {}{}", to_text(o.size.x), to_text(o.size.y), to_text(o.size.z),
                         args.size ? "" : " (1 a point; from black to white a tenth of the larger side: --size)"));
  if (o.error > 0)
    print_line("", fmt::format("a height of the picture is at most {} above or below the surface", to_text(o.error)));
  print_line("file", fmt::format("{}, {}", args.output.string(), bytes_text(o.bytes)));
}

int run(const Args& args) {
  if (args.output.empty()) throw Error("gi terrain: where to? Add -o FILE.tiff");
  if (args.output == args.picture) throw Error(fmt::format("-o: {} is the picture itself", args.output.string()));
  const Stopwatch watch;
  Heights heights = read_heights(args.picture);
  Outcome outcome{
      .width = heights.width, .height = heights.height, .most = heights.most, .size = size_of(args, heights)};
  const int n = args.n.value_or(levels_for(heights, args.crop));
  outcome.side = (1u << n) + 1;
  outcome.way = heights.width == outcome.side && heights.height == outcome.side ? "as it is" : "resampled";
  if (args.crop && outcome.way != "as it is") {
    if (outcome.side > std::min(heights.width, heights.height)) {
      throw Error(fmt::format("--crop: {} points cannot be cut out of {}; use a smaller -n, or leave out --crop",
                              size_text(outcome.side, outcome.side), size_text(heights.width, heights.height)));
    }
    if (!args.size) outcome.size = {outcome.side - 1.0, outcome.side - 1.0, outcome.size.z};
    heights = middle_part(heights, outcome.side, outcome.side);
    outcome.way = "cropped";
  }
  outcome.error = resampling_error(heights, n) / heights.most * outcome.size.z;
  const std::vector<GeometryImage> images{image_of_terrain(heights, n, to_float(outcome.size))};
  write_images(args.output, images);
  outcome.bytes = std::filesystem::file_size(args.output);
  outcome.ms = watch.ms();
  args.json ? print_json(to_json(args, outcome)) : print_text(args, outcome);
  return kAnswered;
}

void add_options(const Command& command, Args& args) {
  command.add_option("HEIGHTS", args.picture, "greyscale picture, black lowest: .png .tiff .tif, 8 or 16 bits")
      .required()
      .type_name("");
  command.add_text(
      "-o,--output", "FILE.tiff",
      [&](const std::string& text) {
        args.output = check_output("-o", text, std::array<std::string_view, 2>{".tiff", ".tif"});
      },
      "what to write: a geometry image");
  command.add_text(
      "-n", "N",
      [&](const std::string& text) { args.n = static_cast<int>(parse_count("-n", text, 2, kMaxImageLevels)); },
      "2 to 13: (2^n + 1) x (2^n + 1) vertices; by default as many as the picture has, nearly");
  command.add_text(
      "--size", "X,Y,Z",
      [&](const std::string& text) {
        const Vec3d size = parse_vector("--size", text);
        if (!(size.x > 0 && size.y > 0 && size.z > 0 && size.x <= kMaxImageCoordinate &&
              size.y <= kMaxImageCoordinate && size.z <= kMaxImageCoordinate))
          throw Error(fmt::format("--size: '{}' must be three numbers above 0 and up to {:g}", text,
                                  double{kMaxImageCoordinate}));
        args.size = size;
      },
      "width, depth, and height from black to white; by default 1 a point, and a tenth of the larger side");
  command.add_flag("--crop", args.crop, "use the middle of the picture, unchanged, instead of resampling all of it");
  add_memory_option(command);
  command.add_flag("--json", args.json, "one JSON object on stdout");
}

}  // namespace

void add_gi_terrain(const Command& gi, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = gi.add_subcommand("terrain", "Make a geometry image of a picture of heights");
  add_options(command, *args);
  command.footer(
      "The terrain is an open sheet: x to the right, y up in the picture, z up; its lowest corner is the origin.\n"
      "Example:\n  lamella gi terrain heights.png --size 1000,1000,80 -o terrain.tiff");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
