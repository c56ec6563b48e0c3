// The program lamella-bench-fcl: FCL's trees of boxes over the same triangles as our images, for section 5.3 of
// "GI-COLLIDE". In double, as FCL recommends; OBBRSS prunes by OBB too and is FCL's usual choice. It is a program of
// its own so that nothing that is installed needs FCL.

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <CLI/CLI.hpp>

#include "bench/gi/methods.hpp"
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
    model_.endModel();
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

 private:
  struct Placed {
    fcl::Transform3d a, b;
  };

  fcl::BVHModel<Volume> model_;
  fcl::CollisionRequestd request_;
  fcl::CollisionResultd result_;
  std::vector<Placed> pairs_;
};

int run(int argc, char** argv) {
  int status = 0;
  CLI::App app("`lamella bench gi` with FCL's trees of boxes among the methods that it compares.", "lamella-bench-fcl");
  app.require_subcommand(1);
  const auto obb = [](const ImageBody& body) { return std::make_unique<FclMethod<fcl::OBBd>>(body); };
  const auto obbrss = [](const ImageBody& body) { return std::make_unique<FclMethod<fcl::OBBRSSd>>(body); };
  add_gi(cli::Command(app), status, {{"FCL OBB", obb}, {"FCL OBBRSS", obbrss}});
  CLI11_PARSE(app, argc, argv);
  return status;
}

}  // namespace
}  // namespace lamella::bench

int main(int argc, char** argv) try { return lamella::bench::run(argc, argv); } catch (const std::exception& error) {
  lamella::cli::complain(error.what());
  return lamella::cli::kBadInput;
}
