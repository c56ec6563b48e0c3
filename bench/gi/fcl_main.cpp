// The program lamella-bench-fcl: FCL's trees of boxes over the same triangles as our images, for section 5.3 of
// "GI-COLLIDE", and GJK on convex hulls in place of I-COLLIDE's closest features, for section 5.1. In double, as FCL
// recommends; OBBRSS prunes by OBB too and is FCL's usual choice. It is a program of its own so that nothing that is
// installed needs FCL.

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <CLI/CLI.hpp>

#include "bench/gi/hull.hpp"
#include "bench/gi/methods.hpp"
#include "bench/measure.hpp"
#include "bench/options.hpp"
#include "cli/common.hpp"

namespace lamella::bench {
namespace {

fcl::Transform3d to_fcl(const Transform& pose) {
  const auto [x, y, z, w] = pose.rotation;
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = fcl::Quaterniond(w, x, y, z).toRotationMatrix();
  out.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
  return out;
}

struct Placed {
  fcl::Transform3d a, b;
};

template <class Volume>
class FclMethod final : public PairMethod {
 public:
  explicit FclMethod(const ImageBody& body) {
    std::vector<fcl::Vector3d> positions;
    std::vector<fcl::Triangle> triangles;
    for (const GeometryImage& image : body.images) {
      const std::size_t first = positions.size();
      for (const Vec3 p : image.positions) positions.emplace_back(p.x, p.y, p.z);
      for (std::uint32_t i = 0; i < image.triangle_count(); ++i) {
        const Triangle t = image_triangle(image.n, i);
        triangles.emplace_back(first + t.a, first + t.b, first + t.c);
      }
    }
    model_.beginModel(static_cast<int>(triangles.size()), static_cast<int>(positions.size()));
    model_.addSubModel(positions, triangles);
    const CpuStopwatch watch;
    model_.endModel();
    build_ms_ = watch.ms();
    request_.num_max_contacts = 1;
    request_.enable_contact = false;
  }

  void take(std::span<const PosePair> pairs) override {
    pairs_.clear();
    for (const PosePair& pair : pairs) pairs_.push_back({to_fcl(pair.a), to_fcl(pair.b)});
  }

  void decide(std::span<std::uint8_t> colliding) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      result_.clear();
      fcl::collide(&model_, pairs_[i].a, &model_, pairs_[i].b, request_, result_);
      colliding[i] = result_.isCollision() ? 1 : 0;
    }
  }
  [[nodiscard]] std::size_t bytes() const override {
    return static_cast<std::size_t>(model_.getNumBVs()) * sizeof(fcl::BVNode<Volume>);
  }
  [[nodiscard]] double build_ms() const override { return build_ms_; }

 private:
  fcl::BVHModel<Volume> model_;
  fcl::CollisionRequestd request_;
  fcl::CollisionResultd result_;
  std::vector<Placed> pairs_;
  double build_ms_ = 0;
};

/// The hulls of the body's images by FCL's GJK, which is libccd's. I-COLLIDE tracks the closest features of convex
/// polytopes: `closest` asks for the closest points, and takes none for a collision; otherwise only yes or no.
class HullMethod final : public PairMethod {
 public:
  HullMethod(const ImageBody& body, bool closest) : closest_(closest) {
    const CpuStopwatch watch;
    for (const GeometryImage& image : body.images) {
      const Hull hull = convex_hull(image.positions);
      const auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
      const auto faces = std::make_shared<std::vector<int>>();
      for (const Vec3d v : hull.vertices) vertices->emplace_back(v.x, v.y, v.z);
      for (const auto& face : hull.faces) {
        faces->push_back(3);
        for (const std::uint32_t v : face) faces->push_back(static_cast<int>(v));
      }
      bytes_ += hull.vertices.size() * sizeof(fcl::Vector3d) + faces->size() * sizeof(int);
      hulls_.push_back(std::make_unique<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces));
    }
    build_ms_ = watch.ms();
    distance_request_.enable_nearest_points = true;
  }

  void take(std::span<const PosePair> pairs) override {
    pairs_.clear();
    for (const PosePair& pair : pairs) pairs_.push_back({to_fcl(pair.a), to_fcl(pair.b)});
  }

  void decide(std::span<std::uint8_t> colliding) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) colliding[i] = decide(pairs_[i]) ? 1 : 0;
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] double build_ms() const override { return build_ms_; }

 private:
  bool decide(const Placed& pair) {
    for (const auto& a : hulls_) {
      for (const auto& b : hulls_) {
        if (meet(*a, pair.a, *b, pair.b)) return true;
      }
    }
    return false;
  }

  bool meet(const fcl::Convexd& a, const fcl::Transform3d& at_a, const fcl::Convexd& b, const fcl::Transform3d& at_b) {
    if (closest_) {
      distance_.clear();
      return fcl::distance(&a, at_a, &b, at_b, distance_request_, distance_) <= 0;
    }
    result_.clear();
    return fcl::collide(&a, at_a, &b, at_b, request_, result_) > 0;
  }

  bool closest_;
  std::vector<std::unique_ptr<fcl::Convexd>> hulls_;
  fcl::CollisionRequestd request_;
  fcl::CollisionResultd result_;
  fcl::DistanceRequestd distance_request_;
  fcl::DistanceResultd distance_;
  std::vector<Placed> pairs_;
  std::size_t bytes_ = 0;
  double build_ms_ = 0;
};

int run(int argc, char** argv) {
  int status = 0;
  CLI::App app("`lamella bench gi` with FCL's trees of boxes among the methods that it compares.", "lamella-bench-fcl");
  app.require_subcommand(1);
  const auto obb = [](const ImageBody& body) { return std::make_unique<FclMethod<fcl::OBBd>>(body); };
  const auto obbrss = [](const ImageBody& body) { return std::make_unique<FclMethod<fcl::OBBRSSd>>(body); };
  const auto closest = [](const ImageBody& body) { return std::make_unique<HullMethod>(body, true); };
  const auto yes_or_no = [](const ImageBody& body) { return std::make_unique<HullMethod>(body, false); };
  add_gi(cli::Command(app), status,
         {{"FCL OBB", obb},
          {"FCL OBBRSS", obbrss},
          {"FCL closest points of hulls", closest, true},
          {"FCL GJK of hulls", yes_or_no, true}});
  CLI11_PARSE(app, argc, argv);
  return status;
}

}  // namespace
}  // namespace lamella::bench

int main(int argc, char** argv) try { return lamella::bench::run(argc, argv); } catch (const std::exception& error) {
  lamella::cli::complain(error.what());
  return lamella::cli::kBadInput;
}
