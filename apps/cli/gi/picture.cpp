#include <fmt/core.h>

#include <array>
#include <memory>

#include "cli/common.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/gi/sheet.hpp"
#include "cli/html/report.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint32_t kMostImages = 1'000'000;

struct Args {
  std::string file, mesh;
  std::filesystem::path output, html;
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

/// The surfaces of all images as one mesh, at most as fine as they are drawn.
Mesh surfaces_of(const std::vector<GeometryImage>& images) {
  constexpr std::size_t kMostTriangles = 1 << 20;
  int finest = kFinestDrawn;
  while (finest > 2 && images.size() * (std::size_t{2} << (2 * finest)) > kMostTriangles) --finest;
  Mesh mesh;
  for (const GeometryImage& image : images) append(mesh, coarse_mesh(image, finest));
  return mesh;
}

void write_report(HtmlFile& html, const Args& args, const std::vector<GeometryImage>& images, const Mesh& original,
                  const picture::Image& sheet) {
  const Mesh surfaces = surfaces_of(images);
  Report report{.kind = "gi picture", .title = title(args, images)};
  report.answer = {{"query", "gi picture"}, {"images", images.size()}, {"file", args.file}};
  report.objects.push_back(
      {.name = file_name(args.file), .mesh = surfaces, .pose = {}, .source = {{"file", file_name(args.file)}}});
  if (!args.mesh.empty()) report.objects.push_back(report_object(args.mesh, original));
  report.more["pictures"] = {{{"title", report.title}, {"png", report.packet.add(picture::to_png(sheet))}}};
  std::size_t triangles = 0;
  for (const GeometryImage& image : images) triangles += image.triangle_count();
  if (surfaces.triangles.size() < triangles)
    report.notes.push_back(fmt::format("The surface has {} of the image's {} here.", grouped(surfaces.triangles.size()),
                                       counted(triangles, "triangle")));
  html.write(std::move(report));
}

void run(const Args& args) {
  if (args.output.empty() && args.html.empty()) throw Error("gi picture: where to? Add -o OUT.png or --html OUT.html");
  const std::unique_ptr<HtmlFile> html = html_file(args.html);
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
  Progress progress(file_name(args.output.empty() ? args.html : args.output));
  const ImageSheet sheet{.images = images,
                         .number = args.image,
                         .original = original,
                         .title = title(args, images),
                         .up = args.up.value_or(picture::Up{}),
                         .view = args.view.value_or(picture::View{}),
                         .size = args.size,
                         .threads = args.threads,
                         .progress = progress.callback()};
  const picture::Image image = draw_sheet(sheet);
  if (!args.output.empty()) picture::write_png(args.output, image);
  if (html) write_report(*html, args, images, original, image);
}

void add_options(const Command& command, Args& args) {
  command.add_option("FILE", args.file, "geometry images: .tiff .tif").required().type_name("");
  command.add_text(
      "-o,--output", "OUT.png",
      [&](const std::string& text) { args.output = check_output("-o", text, std::array<std::string_view, 1>{".png"}); },
      "what to write");
  add_html_option(command, args.html);
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
