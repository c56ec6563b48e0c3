#include <fmt/core.h>

#include <array>
#include <memory>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/gi/sheet.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostImages = 1'000'000;

struct Args {
  std::string file, mesh;
  std::filesystem::path output;
  std::uint32_t image = 0;
  std::optional<picture::Up> up;
  std::optional<picture::View> view;
  picture::Size size;  ///< 0 x 0: the usual
  unsigned threads = 0;
};

std::string title(const Args& args, const std::vector<GeometryImage>& images) {
  const GeometryImage& image = images[args.image];
  std::string text = fmt::format("{}: geometry image of {} vertices (n = {})", file_name(args.file),
                                 size_text(image.side(), image.side()), image.n);
  if (images.size() > 1) text += fmt::format("; number {} of {}, surfaces of all", args.image, images.size());
  return text;
}

void run(const Args& args) {
  if (args.output.empty()) throw Error("gi picture: where to? Add -o OUT.png");
  std::vector<GeometryImage> images = load_images(args.file);
  if (args.image >= images.size()) {
    throw Error(fmt::format("--image: {} is beyond the last: {} has {}, counted from 0", args.image, args.file,
                            counted(images.size(), "image")));
  }
  Mesh original;
  if (!args.mesh.empty()) original = load_world_mesh(args.mesh);
  for (GeometryImage& image : images) {
    if (image.normals.empty()) compute_normals(image);
  }
  Progress progress(file_name(args.output));
  const ImageSheet sheet{.images = images,
                         .number = args.image,
                         .original = original,
                         .title = title(args, images),
                         .up = args.up.value_or(picture::Up{}),
                         .view = args.view.value_or(picture::View{}),
                         .size = args.size,
                         .threads = args.threads,
                         .progress = progress.callback()};
  picture::write_png(args.output, draw_sheet(sheet));
}

void add_options(const Command& command, Args& args) {
  command.add_option("FILE", args.file, "geometry images: .tiff .tif").required().type_name("");
  command.add_text(
      "-o,--output", "OUT.png",
      [&](const std::string& text) { args.output = check_output("-o", text, std::array<std::string_view, 1>{".png"}); },
      "what to write");
  command.add_option("--mesh", args.mesh, "the mesh it was made of, or model:NAME, to be drawn beside it")
      .type_name("ORIGINAL");
  add_count(command, "--image", 0, kMostImages, args.image,
            "of a file with several: whose pages are shown, from 0; surfaces are drawn of all, spheres of all up to 64")
      .default_str("0");
  add_up_option(command, args.up);
  add_view_option(command, args.view);
  add_size_option(command, args.size, "1680 wide");
  add_threads_option(command, args.threads);
}

}  // namespace

void add_gi_picture(const Command& gi, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      gi.add_subcommand("picture", "Draw a sheet: the image as colours, its spheres, the surface with its cut");
  add_options(command, *args);
  add_memory_option(command);
  command.footer(
      "Examples:\n"
      "  lamella gi make model:rabbit -n 7 -o rabbit.tiff\n"
      "  lamella gi picture rabbit.tiff -o rabbit.png --mesh model:rabbit");
  command.callback([args, &status] {
    run(*args);
    status = kAnswered;
  });
}

}  // namespace lamella::cli
