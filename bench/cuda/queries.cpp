// The works of `lamella bench cuda` that are one query on one or two large meshes.

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "bench/cuda/work.hpp"
#include "cli/common.hpp"
#include "cli/stopwatch.hpp"
#include "lamella/cuda.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "scenes/scenes.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kSets = 4;
constexpr std::size_t kHandSets = 8;
constexpr std::size_t kQuickPart = 100;  ///< of the faces and points is left with --quick

/// A query with all that it needs: on the device, and by detectors on the CPU and by OpenGL.
struct Query {
  Query(CudaDevice& gpu, MovingMeshes moving, const Options& asked)
      : device(gpu), meshes(std::move(moving)), options(asked) {}

  [[nodiscard]] Detector& software(unsigned threads) {
    return known_or_made(on_cpu, threads, [&] { return Detector(with_engine(options, "software", threads)); });
  }
  [[nodiscard]] std::string grid_text() const { return fmt::format("{0} x {0}", options.resolution); }

  CudaDevice& device;
  MovingMeshes meshes;
  Options options;
  std::optional<cuda::Query> on_gpu{};
  cuda::Answer answer{};
  std::map<unsigned, Detector> on_cpu{};  ///< by threads
  std::optional<Detector> opengl{};
  std::vector<ObjectId> kept{};
};
using QueryPtr = std::shared_ptr<Query>;

/// A work of a query; `ask` has a detector answer it from a set's views, `ask_kept` from meshes that it keeps.
CudaWork to_work(const QueryPtr& query, std::string description, std::uint64_t bytes,
                 const std::function<void(Detector&, std::size_t set)>& ask,
                 const std::function<void(Detector&)>& ask_kept) {
  CudaWork work;
  work.description = std::move(description);
  work.bytes = bytes;
  work.sets = query->meshes.sets();
  work.place = [query](std::size_t set) { query->meshes.place(set); };
  work.launch = [query] { query->on_gpu->launch(query->device.stream()); };
  work.wait = [query] { query->answer = query->on_gpu->wait(); };
  work.software_ms = [query, ask](unsigned threads, std::size_t set) {
    Detector& detector = query->software(threads);
    const cli::Stopwatch watch;
    ask(detector, set);
    return watch.ms();
  };
  work.opengl_engine = hardware_engine("gl-lists");
  work.opengl_ms = [query, ask_kept, name = work.opengl_engine](std::size_t set) {
    const MovingMeshes& meshes = query->meshes;
    if (!query->opengl) {
      query->opengl.emplace(with_engine(query->options, name, 0));
      for (std::size_t i = 0; i < meshes.size(); ++i) query->kept.push_back(query->opengl->add(meshes.view(i, 0)));
    }
    const cli::Stopwatch watch;
    for (std::size_t i = 0; i < meshes.size(); ++i)
      query->opengl->deform(query->kept[i], meshes.view(i, set).positions);
    ask_kept(*query->opengl);
    return watch.ms();
  };
  return work;
}

CudaWork contains_work(const QueryPtr& query, std::size_t point_count) {
  const auto points = std::make_shared<std::vector<Vec3>>(scenes::random_points(query->meshes.view(0, 0), point_count));
  const Vec3* there = query->device.upload<Vec3>(*points);
  query->on_gpu.emplace(cuda::Query::contains(query->meshes.on_device(0),
                                              {.positions = there, .count = static_cast<std::uint32_t>(points->size())},
                                              for_device(query->options)));
  CudaWork work = to_work(
      query,
      fmt::format("{} in a serpent of {}, {}: contains", cli::counted(points->size(), "point"),
                  cli::counted(query->meshes.face_count(), "face"), query->grid_text()),
      query->meshes.bytes() + points->size() * sizeof(Vec3),
      [query, points](Detector& d, std::size_t set) { (void)d.contains(query->meshes.view(0, set), *points); },
      [query, points](Detector& d) { (void)d.contains(query->kept[0], *points); });
  work.answer = [query] { return cli::counted(query->answer.inside_count, "point") + " inside"; };
  work.difference = [query, points](std::size_t set) -> std::string {
    const Containment& expected = query->software(0).contains(query->meshes.view(0, set), *points);
    std::vector<std::uint8_t> flags(points->size());
    query->device.read(flags.data(), query->on_gpu->device_flags(), flags.size());
    std::size_t differing = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) differing += flags[i] != expected.inside[i] ? 1 : 0;
    const bool same_grid = query->answer.grid == expected.grid;
    if (differing == 0 && query->answer.inside_count == expected.inside_count && same_grid) return "";
    return fmt::format("{} differ, {} points inside instead of {}{}", cli::counted(differing, "flag"),
                       query->answer.inside_count, expected.inside_count, same_grid ? "" : ", on another grid");
  };
  return work;
}

std::string overlap_difference(const cuda::Answer& answer, const Overlap& expected, double inside_out) {
  const bool same_grid = answer.grid == expected.grid;
  if (same_grid && answer.span_count == expected.spans.size() && same_volume(answer.volume, expected.volume) &&
      same_volume(answer.inside_out_volume, inside_out))
    return "";
  return fmt::format(
      "a volume of {:.12g} instead of {:.12g}, inside out {:.12g} instead of {:.12g}, {} spans instead "
      "of {}{}",
      answer.volume, expected.volume, answer.inside_out_volume, inside_out, answer.span_count, expected.spans.size(),
      same_grid ? "" : ", on another grid");
}

void set_overlap_answer(CudaWork& work, const QueryPtr& query) {
  work.answer = [query] {
    return fmt::format("a volume of {} in {}, {}", cli::to_text(query->answer.volume),
                       cli::counted(query->answer.span_count, "span"),
                       cli::counted(query->answer.crossing_count, "crossing"));
  };
}

CudaWork pair_work(const QueryPtr& query, const std::string& what) {
  const MovingMeshes& meshes = query->meshes;
  query->on_gpu.emplace(cuda::Query::intersect(meshes.on_device(0), meshes.on_device(1), for_device(query->options)));
  const auto ask = [query](Detector& d, std::size_t set) -> const Overlap& {
    return d.intersect(query->meshes.view(0, set), query->meshes.view(1, set));
  };
  CudaWork work = to_work(query, fmt::format("{}, {}: intersect with volume", what, query->grid_text()), meshes.bytes(),
                          ask, [query](Detector& d) { (void)d.intersect(query->kept[0], query->kept[1]); });
  work.difference = [query, ask](std::size_t set) {
    return overlap_difference(query->answer, ask(query->software(0), set), 0);
  };
  set_overlap_answer(work, query);
  return work;
}

CudaWork self_work(const QueryPtr& query) {
  const MovingMeshes& meshes = query->meshes;
  query->on_gpu.emplace(cuda::Query::self_intersect(meshes.on_device(0), for_device(query->options)));
  const auto ask = [query](Detector& d, std::size_t set) -> const SelfOverlap& {
    return d.self_intersect(query->meshes.view(0, set));
  };
  CudaWork work = to_work(query,
                          fmt::format("a hand of {} closes, {}: self-overlap with volume",
                                      cli::counted(meshes.face_count(), "face"), query->grid_text()),
                          meshes.bytes(), ask, [query](Detector& d) { (void)d.self_intersect(query->kept[0]); });
  work.difference = [query, ask](std::size_t set) {
    const SelfOverlap& expected = ask(query->software(0), set);
    return overlap_difference(query->answer, expected, expected.inside_out_volume);
  };
  set_overlap_answer(work, query);
  return work;
}

void wobble(std::span<const Vec3> rest, std::size_t mesh, std::size_t set, std::span<Vec3> out) {
  scenes::wobble(rest, static_cast<float>(set) / kSets, 1 + static_cast<std::uint32_t>(mesh), out);
}

std::size_t reduced(std::size_t count, const CudaArgs& args) { return args.quick ? count / kQuickPart : count; }

Options options_for(const CudaArgs& args, std::uint32_t resolution) {
  return {.resolution = args.quick ? 64 : resolution, .device = args.device};
}

CudaCase contains_case(const CudaArgs& args, std::string name, double target_us, std::size_t faces, std::size_t points,
                       std::uint32_t resolution) {
  return {std::move(name), target_us, 1, true, [=](CudaDevice& device) {
            MovingMeshes meshes(device, {scenes::serpent(reduced(faces, args))}, kSets, wobble);
            return contains_work(std::make_shared<Query>(device, std::move(meshes), options_for(args, resolution)),
                                 reduced(points, args));
          }};
}

/// `b` as large as `a` and shifted so that along x its box begins in the middle of a's; beside one another they are
/// centred. Returns what was done, in words.
std::string place_beside(const Mesh& a, Mesh& b) {
  const Aabb box_a = bounds(a), box_b = bounds(b);
  if (box_a.empty() || box_b.empty()) throw Error("--a, --b: a mesh without a finite vertex cannot be placed");
  const double scale = static_cast<double>(length(extent(box_a))) / static_cast<double>(length(extent(box_b)));
  Vec3d shift = to_double(center(box_a)) - to_double(center(box_b)) * scale;
  shift.x = static_cast<double>(center(box_a).x) - static_cast<double>(box_b.min.x) * scale;
  for (Vec3& p : b.positions) p = to_float(to_double(p) * scale + shift);
  return fmt::format("b scaled by {}, then moved by {}", cli::to_text(scale), cli::to_text(shift));
}

}  // namespace

CudaCase serpent_case(const CudaArgs& args) { return contains_case(args, "serpent", 20, 520'000, 100'000, 128); }

CudaCase large_case(const CudaArgs& args) { return contains_case(args, "large", 130, 10'000'000, 1'000'000, 1024); }

CudaCase hand_case(const CudaArgs& args) {
  return {"hand", 40, 1, true, [=](CudaDevice& device) {
            // Around the fist, where it overlaps itself.
            const auto close = [](std::span<const Vec3> rest, std::size_t, std::size_t set, std::span<Vec3> out) {
              scenes::close_hand(rest, 0.35f + 0.15f * static_cast<float>(set) / (kHandSets - 1), out);
            };
            MovingMeshes meshes(device, {scenes::hand(args.quick ? 2'000 : 38'000)}, kHandSets, close);
            return self_work(std::make_shared<Query>(device, std::move(meshes), options_for(args, 512)));
          }};
}

CudaCase scans_case(const CudaArgs& args) {
  return {"scans", 120, 1, true, [=](CudaDevice& device) {
            const bool files = !args.a.empty();
            std::vector<Mesh> meshes;
            meshes.push_back(files ? cli::load_world_mesh(args.a) : scenes::serpent(reduced(871'000, args)));
            meshes.push_back(files ? cli::load_world_mesh(args.b) : scenes::seated_figure(reduced(536'000, args)));
            const std::string placement = place_beside(meshes[0], meshes[1]);
            const std::string what = fmt::format(
                "{} ({}) and {} ({}){}; {}", files ? cli::file_name(args.a) : "a serpent",
                cli::counted(meshes[0].triangles.size(), "face"), files ? cli::file_name(args.b) : "a seated figure",
                cli::counted(meshes[1].triangles.size(), "face"), files ? "" : " in place of scans", placement);
            MovingMeshes moving(device, std::move(meshes), kSets, wobble);
            return pair_work(std::make_shared<Query>(device, std::move(moving), options_for(args, 1024)), what);
          }};
}

}  // namespace lamella::bench
