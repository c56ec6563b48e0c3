// The works of `lamella bench cuda` that are one query on one or two large meshes.

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <unordered_map>
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

/// What the three kinds of queries have in common: a device's answer, and detectors that answer on the CPU and by
/// OpenGL.
class QueryWork : public CudaWork {
 public:
  QueryWork(CudaDevice& device, MovingMeshes meshes, const Options& options)
      : device_(device), meshes_(std::move(meshes)), options_(options) {}

  [[nodiscard]] std::uint64_t bytes() const override { return meshes_.bytes(); }
  [[nodiscard]] std::size_t sets() const override { return meshes_.sets(); }
  void place(std::size_t set) override { meshes_.place(set); }
  void launch() override { query_->launch(device_.stream()); }
  void wait() override { answer_ = query_->wait(); }

  [[nodiscard]] double software_ms(unsigned threads, std::size_t set) override {
    Detector& detector = software(threads);
    const cli::Stopwatch watch;
    ask(detector, set);
    return watch.ms();
  }

  [[nodiscard]] std::optional<Other> opengl_ms(std::size_t set) override {
    if (!opengl_tried_) {
      opengl_tried_ = true;
      if (const std::string name = hardware_engine("gl-lists"); !name.empty()) {
        opengl_.emplace(with_engine(name, 0));
        for (std::size_t i = 0; i < meshes_.size(); ++i) kept_.push_back(opengl_->add(meshes_.view(i, 0)));
      }
    }
    if (!opengl_) return std::nullopt;
    const cli::Stopwatch watch;
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      opengl_->update_vertices(kept_[i], meshes_.view(i, set).positions);
    }
    ask_kept(*opengl_, kept_);
    return Other{"gl-lists", watch.ms()};
  }

 protected:
  virtual void ask(Detector& detector, std::size_t set) = 0;
  virtual void ask_kept(Detector& detector, const std::vector<MeshId>& kept) = 0;

  [[nodiscard]] Options with_engine(const std::string& name, unsigned threads) const {
    Options options = options_;
    options.engine = name;
    options.threads = threads;
    options.device = std::nullopt;
    return options;
  }
  [[nodiscard]] Detector& software(unsigned threads) {
    const auto known = software_.find(threads);
    if (known != software_.end()) return known->second;
    return software_.emplace(threads, Detector(with_engine("software", threads))).first->second;
  }
  [[nodiscard]] std::string grid_text() const { return fmt::format("{0} x {0}", options_.resolution); }

  CudaDevice& device_;
  MovingMeshes meshes_;
  Options options_;
  std::optional<cuda::Query> query_;
  cuda::Answer answer_;

 private:
  std::unordered_map<unsigned, Detector> software_;  ///< by threads
  bool opengl_tried_ = false;
  std::optional<Detector> opengl_;
  std::vector<MeshId> kept_;
};

class ContainsWork final : public QueryWork {
 public:
  ContainsWork(CudaDevice& device, MovingMeshes meshes, std::size_t point_count, const Options& options)
      : QueryWork(device, std::move(meshes), options),
        points_(scenes::random_points(meshes_.view(0, 0), point_count)),
        flags_(points_.size()) {
    const Vec3* there = device.upload<Vec3>(points_);
    query_.emplace(cuda::Query::contains(
        meshes_.on_device(0), {.positions = there, .count = static_cast<std::uint32_t>(points_.size())}, options));
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("{} in a serpent of {}, {}: contains", cli::counted(points_.size(), "point"),
                       cli::counted(meshes_.face_count(), "face"), grid_text());
  }
  [[nodiscard]] std::uint64_t bytes() const override { return meshes_.bytes() + points_.size() * sizeof(Vec3); }

  [[nodiscard]] std::string difference(std::size_t set) override {
    const Containment& expected = software(0).contains(meshes_.view(0, set), points_);
    device_.read(flags_.data(), query_->device_flags(), flags_.size());
    std::size_t differing = 0;
    for (std::size_t i = 0; i < flags_.size(); ++i) differing += flags_[i] != expected.inside[i] ? 1 : 0;
    if (differing == 0 && answer_.inside == expected.count && answer_.grid == expected.grid) return "";
    return fmt::format("{} differ, {} points inside instead of {}{}", cli::counted(differing, "flag"), answer_.inside,
                       expected.count, answer_.grid == expected.grid ? "" : ", on another grid");
  }
  [[nodiscard]] std::string answer() const override { return cli::counted(answer_.inside, "point") + " inside"; }

 protected:
  void ask(Detector& detector, std::size_t set) override { (void)detector.contains(meshes_.view(0, set), points_); }
  void ask_kept(Detector& detector, const std::vector<MeshId>& kept) override {
    (void)detector.contains(kept[0], points_);
  }

 private:
  std::vector<Vec3> points_;
  std::vector<std::uint8_t> flags_;
};

std::string overlap_difference(const cuda::Answer& answer, const Overlap& expected) {
  if (answer.grid == expected.grid && answer.span_count == expected.spans.size() &&
      same_volume(answer.volume, expected.volume)) {
    return "";
  }
  return fmt::format("a volume of {:.12g} instead of {:.12g}, {} spans instead of {}{}", answer.volume, expected.volume,
                     answer.span_count, expected.spans.size(), answer.grid == expected.grid ? "" : ", on another grid");
}

std::string overlap_text(const cuda::Answer& answer) {
  return fmt::format("a volume of {} in {}, {}", cli::to_text(answer.volume), cli::counted(answer.span_count, "span"),
                     cli::counted(answer.crossings, "crossing"));
}

class PairWork final : public QueryWork {
 public:
  PairWork(CudaDevice& device, MovingMeshes meshes, std::string what, const Options& options)
      : QueryWork(device, std::move(meshes), options), what_(std::move(what)) {
    query_.emplace(cuda::Query::intersect(meshes_.on_device(0), meshes_.on_device(1), options));
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("{}, {}: intersect with volume", what_, grid_text());
  }
  [[nodiscard]] std::string difference(std::size_t set) override {
    return overlap_difference(answer_, software(0).intersect(meshes_.view(0, set), meshes_.view(1, set)));
  }
  [[nodiscard]] std::string answer() const override { return overlap_text(answer_); }

 protected:
  void ask(Detector& detector, std::size_t set) override {
    (void)detector.intersect(meshes_.view(0, set), meshes_.view(1, set));
  }
  void ask_kept(Detector& detector, const std::vector<MeshId>& kept) override {
    (void)detector.intersect(kept[0], kept[1]);
  }

 private:
  std::string what_;
};

class SelfWork final : public QueryWork {
 public:
  SelfWork(CudaDevice& device, MovingMeshes meshes, const Options& options)
      : QueryWork(device, std::move(meshes), options) {
    query_.emplace(cuda::Query::self_intersect(meshes_.on_device(0), options));
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("a hand of {} closes, {}: self-overlap with volume", cli::counted(meshes_.face_count(), "face"),
                       grid_text());
  }
  [[nodiscard]] std::string difference(std::size_t set) override {
    const SelfOverlap& expected = software(0).self_intersect(meshes_.view(0, set));
    if (!same_volume(answer_.inside_out_volume, expected.inside_out_volume)) {
      return fmt::format("a volume inside out of {:.12g} instead of {:.12g}", answer_.inside_out_volume,
                         expected.inside_out_volume);
    }
    return overlap_difference(answer_, expected);
  }
  [[nodiscard]] std::string answer() const override { return overlap_text(answer_); }

 protected:
  void ask(Detector& detector, std::size_t set) override { (void)detector.self_intersect(meshes_.view(0, set)); }
  void ask_kept(Detector& detector, const std::vector<MeshId>& kept) override {
    (void)detector.self_intersect(kept[0]);
  }
};

std::vector<std::vector<Vec3>> wobbling(const std::vector<Mesh>& meshes) {
  return make_sets(meshes, kSets,
                   [](std::span<const Vec3> rest, std::size_t mesh, std::size_t set, std::span<Vec3> out) {
                     scenes::wobble(rest, static_cast<float>(set) / kSets, 1 + static_cast<std::uint32_t>(mesh), out);
                   });
}

std::size_t reduced(std::size_t count, const CudaArgs& args) { return args.quick ? count / kQuickPart : count; }

CudaCase contains_case(const CudaArgs& args, std::string name, double target_us, std::size_t faces, std::size_t points,
                       std::uint32_t resolution) {
  const Options options{.resolution = args.quick ? 64 : resolution, .device = args.device};
  return {std::move(name), target_us, 1, true, [=](CudaDevice& device) -> std::unique_ptr<CudaWork> {
            std::vector<Mesh> meshes{scenes::serpent(reduced(faces, args))};
            auto sets = wobbling(meshes);
            return std::make_unique<ContainsWork>(device, MovingMeshes(device, std::move(meshes), std::move(sets)),
                                                  reduced(points, args), options);
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
  const Options options{.resolution = args.quick ? 64u : 512u, .device = args.device};
  return {"hand", 40, 1, true, [=](CudaDevice& device) -> std::unique_ptr<CudaWork> {
            std::vector<Mesh> meshes{scenes::hand(args.quick ? 2'000 : 38'000)};
            // Around the fist, where it overlaps itself.
            auto sets = make_sets(meshes, kHandSets,
                                  [](std::span<const Vec3> rest, std::size_t, std::size_t set, std::span<Vec3> out) {
                                    const float t = 0.35f + 0.15f * static_cast<float>(set) / (kHandSets - 1);
                                    scenes::close_hand(rest, t, out);
                                  });
            return std::make_unique<SelfWork>(device, MovingMeshes(device, std::move(meshes), std::move(sets)),
                                              options);
          }};
}

CudaCase scans_case(const CudaArgs& args) {
  const Options options{.resolution = args.quick ? 64u : 1024u, .device = args.device};
  return {"scans", 120, 1, true, [=](CudaDevice& device) -> std::unique_ptr<CudaWork> {
            const bool files = !args.a.empty();
            std::vector<Mesh> meshes;
            meshes.push_back(files ? cli::load_mesh(args.a) : scenes::serpent(reduced(871'000, args)));
            meshes.push_back(files ? cli::load_mesh(args.b) : scenes::seated_figure(reduced(536'000, args)));
            const std::string placement = place_beside(meshes[0], meshes[1]);
            const std::string what = fmt::format(
                "{} ({}) and {} ({}){}; {}", files ? cli::file_name(args.a) : "a serpent",
                cli::counted(meshes[0].triangles.size(), "face"), files ? cli::file_name(args.b) : "a seated figure",
                cli::counted(meshes[1].triangles.size(), "face"), files ? "" : " in place of scans", placement);
            auto sets = wobbling(meshes);
            return std::make_unique<PairWork>(device, MovingMeshes(device, std::move(meshes), std::move(sets)), what,
                                              options);
          }};
}

}  // namespace lamella::bench
