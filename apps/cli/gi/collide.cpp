#include <fmt/core.h>

#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "cli/common.hpp"
#include "cli/gi/approach.hpp"
#include "cli/gi/collide_answer.hpp"
#include "cli/gi/collide_method.hpp"
#include "cli/gi/collide_picture.hpp"
#include "cli/gi/common.hpp"
#include "cli/gi/gi.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

struct Args {
  std::string a, b;
  Placement place_a, place_b;
  ImageCollideOptions options;
  CollideMethod method;
  bool json = false, exit_zero = false;
  std::filesystem::path pairs;
  PictureArgs picture;
  ApproachArgs approach;
};

struct Subject {
  std::string file;
  ImageBody body;       ///< or
  CompactBody compact;  ///< or
  Mesh mesh;
  bool plain = false;  ///< a mesh
  bool coded = false;  ///< compact

  [[nodiscard]] BodyRef ref() const { return coded ? BodyRef(compact) : BodyRef(body); }
};

void scale_box(Aabb& box, double factor) {
  for (Vec3* corner : {&box.min, &box.max}) {
    for (int k = 0; k < 3; ++k) (*corner)[k] = static_cast<float>((*corner)[k] * factor);
  }
}

Subject load(const std::string& file, double factor, bool compact) {
  Subject subject{.file = file, .body = {}, .compact = {}, .mesh = {}, .plain = is_mesh_file(file)};
  subject.coded = compact && !subject.plain;
  if (subject.coded) {
    subject.compact.images = load_compact_images(file);
    for (CompactImage& image : subject.compact.images) scale_box(image.box, factor);
  } else if (subject.plain) {
    subject.mesh = load_world_mesh(file, factor);
  } else {
    subject.body.images = load_images(file, false);
    for (GeometryImage& image : subject.body.images) scale(image.positions, factor);
  }
  return subject;
}

void check_kinds(const Args& args) {
  if (args.options.walk == ImageWalk::zigzag && (is_mesh_file(args.a) || is_mesh_file(args.b))) {
    throw Error(
        fmt::format("--walk zigzag: {} is a mesh, which has no spheres to walk down; leave --walk out, or make "
                    "an image of it: lamella gi make",
                    is_mesh_file(args.a) ? args.a : args.b));
  }
  if (!is_mesh_file(args.a) || !is_mesh_file(args.b)) return;
  throw Error(
      fmt::format("{0} and {1} are both meshes, and one must be a geometry image; make one: lamella gi make {0} -o "
                  "{2}.tiff (or ask "
                  "for the volume they share: lamella intersect {0} {1})",
                  args.a, args.b, stem_of(args.a)));
}

/// A mesh may come first: it is then the other way round for the library.
ImageCollision collide_either_way(const Args& args, const Subject& a, const Subject& b) {
  if (!a.plain && !b.plain) return collide(a.ref(), args.place_a.pose, b.ref(), args.place_b.pose, args.options);
  if (!a.plain) return collide(a.ref(), args.place_a.pose, b.mesh, args.place_b.pose, args.options);
  ImageCollision found = collide(b.ref(), args.place_b.pose, a.mesh, args.place_a.pose, args.options);
  for (TrianglePair& p : found.pairs) {
    std::swap(p.image_a, p.image_b);
    std::swap(p.triangle_a, p.triangle_b);
  }
  return found;
}

/// The first search of a process waits until its code is loaded, some ten microseconds. With a budget that is not the
/// time to do it: a search of two small spheres goes first.
void rehearse() {
  const ImageBody ball = make_body({image_of_sphere(2)});
  const Transform aside{{0.5, 0, 0}, {}};
  const ImageCollideOptions options{.all = true, .budget = std::chrono::seconds(1)};
  (void)collide(ball, {}, ball, aside, options);
  (void)collide(ball, {}, to_mesh(ball.images.front()), aside, options);
}

void draw(const Args& args, Subject& a, Subject& b, const ImageCollision& found) {
  if (!args.picture.wanted()) return;
  const auto taken = [](Subject& subject, const Transform& pose) {
    for (const CompactImage& image : subject.compact.images) subject.body.images.push_back(expanded(image));
    return ImageSubject{std::move(subject.body.images), std::move(subject.mesh), pose};
  };
  std::string words(to_string(found.verdict));
  if (!found.pairs.empty()) words += fmt::format(", {} of triangles", counted(found.pairs.size(), "pair"));
  const auto names = fmt::format("{} and {}", file_name(args.a), file_name(args.b));
  picture::write_png(args.picture.file, draw_collision(taken(a, args.place_a.pose), taken(b, args.place_b.pose), found,
                                                       args.picture.blank({names, words})));
}

int run(const Args& args) {
  check_kinds(args);
  const Stopwatch reading;
  const bool compact = args.method.compact;
  Subject a = load(args.a, args.place_a.scale, compact), b = load(args.b, args.place_b.scale, compact);
  ImageAnswer answer{.found = {},
                     .asked = args.options,
                     .spheres = args.method.spheres,
                     .a = args.a,
                     .b = args.b,
                     .read_ms = reading.ms()};
  const Stopwatch building;
  for (Subject* subject : {&a, &b}) {
    if (subject->coded) {
      subject->compact = make_body(std::move(subject->compact.images), args.method.spheres);
    } else if (!subject->plain) {
      subject->body = make_body(std::move(subject->body.images), args.method.spheres);
    }
    if (!subject->plain) answer.body_bytes += bytes_of(subject->ref());
  }
  answer.pyramid_ms = building.ms();
  if (args.options.budget.count() != 0) rehearse();
  const Stopwatch colliding;
  answer.found = collide_either_way(args, a, b);
  answer.ms = colliding.ms();

  if (!args.pairs.empty()) write_file(args.pairs, pairs_csv(answer.found.pairs));
  if (args.approach.wanted()) {
    if (a.plain || b.plain)
      throw Error(
          "--search: draws the spheres of two geometry images, and one of these is a mesh; make an image of it: "
          "lamella gi make");
    draw_approach(args.approach, {a.body, args.place_a.pose, file_name(args.a)},
                  {b.body, args.place_b.pose, file_name(args.b)}, args.options, args.picture);
  }
  draw(args, a, b, answer.found);
  args.json ? print_answer_json(answer) : print_answer(answer);
  return status_of(answer.found.verdict, args.exit_zero);
}

/// What changes nothing is an error rather than a surprise.
void check_pictures(const Command& command, const Args& args) {
  const auto expect = [&](const std::string& name, bool used, std::string_view wanted) {
    if (command.option(name).given() && !used) throw Error(fmt::format("{} requires {}", name, wanted));
  };
  for (const std::string name : {"--size", "--up"}) {
    expect(name, args.picture.wanted() || args.approach.wanted(), "--picture or --search");
  }
  for (const std::string name : {"--search-from", "--search-steps"}) expect(name, args.approach.wanted(), "--search");
}

void add_options(const Command& command, Args& args) {
  command.add_option("A", args.a, "geometry images: .tiff .tif").required().type_name("");
  add_mesh_argument(command, "B", args.b, "geometry images; one of A and B may be a mesh").required();
  add_placement_options(command, "-a", args.place_a, "A");
  add_placement_options(command, "-b", args.place_b, "B");
  command.options_under("Search");
  command.add_flag("--all", args.options.all, "all pairs of triangles that meet; otherwise the first ends the search");
  command.add_text(
      "--budget", "TIME", [&](const std::string& text) { args.options.budget = parse_budget("--budget", text); },
      "answer within this time (500us, 15ms, 0.5s), as well as it can be done");
  add_count(command, "--max-tests", 1, std::numeric_limits<std::uint32_t>::max(), args.options.max_tests,
            "the same by tests of spheres and triangles: the same answer everywhere");
  add_count(command, "--max-level", 0, kMaxImageLevels, args.options.max_level,
            "spheres of this level decide, and no triangle is looked at");
  add_method_options(command, args.method, args.options);
  add_memory_option(command);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
  command.add_text(
      "--pairs", "OUT.csv",
      [&](const std::string& text) {
        args.pairs = check_output("--pairs", text, std::array<std::string_view, 1>{".csv"});
      },
      "write the pairs of triangles");
  command.options_under("Picture");
  add_picture_option(command, args.picture.file, "draw both, and where they meet");
  add_approach_options(command, args.approach);
  add_up_option(command, args.picture.up);
  add_view_option(command, args.picture.view);
  add_size_option(command, args.picture.size, fmt::format("{}x{}", args.picture.size.width, args.picture.size.height));
}

}  // namespace

void add_gi_collide(const Command& gi, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command =
      gi.add_subcommand("collide", "Whether two surfaces meet, and in which triangles (GI-COLLIDE)");
  add_options(command, *args);
  command.footer(fmt::format(
      "Surfaces that touch collide; one wholly inside another does not: `lamella intersect` tests volumes.\n"
      "Exit status 0: they do not collide. 1: they do. 4: the budget was spent before a collision was found or ruled\n"
      "out, or --spheres published left out a part of a surface and found nothing; the verdict is then\n"
      "\"undecided\", and \"colliding\" is null in JSON.\n"
      "{}\n\n"
      "Examples:\n"
      "  lamella gi make model:rabbit -n 7 -o rabbit.tiff\n"
      "  lamella gi collide rabbit.tiff model:box --scale-b 0.2 --all --pairs pairs.csv",
      kPoseForms));
  command.callback([args, command, &status] {
    check_pictures(command, *args);
    status = run(*args);
  });
}

}  // namespace lamella::cli
