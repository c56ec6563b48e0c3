// Embree: rays from points against its tree of triangles, and rtcCollide between trees of triangles' boxes. Trees are
// refitted to new vertices, which is its fastest way. rtcCollide only gives pairs of triangles whose boxes meet; the
// test of the triangles themselves is the caller's, and is here.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "bench/peers/candidates.hpp"
#include "bench/peers/crossing.hpp"
#include "bench/peers/embree_scene.hpp"
#include "bench/peers/libraries.hpp"

namespace lamella::bench::peers {
namespace {

/// Boxes of triangles for rtcCollide. Vertices are read where the caller has them.
class BoxScene : public MeshScene {
 public:
  BoxScene(const MovingMesh& mesh, Follow follow) : MeshScene(RTC_GEOMETRY_TYPE_USER, follow), mesh_(mesh) {
    rtcSetGeometryUserPrimitiveCount(geometry(), static_cast<unsigned>(mesh.triangles.size()));
    rtcSetGeometryUserData(geometry(), this);
    rtcSetGeometryBoundsFunction(geometry(), bound, nullptr);
    attach();
    update(0);
  }
  void update(std::size_t pose) {
    positions_ = mesh_.positions[pose].data();
    commit();
  }

  [[nodiscard]] Corners corners(unsigned triangle) const {
    const Triangle& t = mesh_.triangles[triangle];
    return {positions_ + t.a, positions_ + t.b, positions_ + t.c};
  }
  [[nodiscard]] bool share_a_vertex(unsigned one, unsigned other) const {
    const Triangle &s = mesh_.triangles[one], &t = mesh_.triangles[other];
    const auto is_of_t = [&t](std::uint32_t v) { return v == t.a || v == t.b || v == t.c; };
    return is_of_t(s.a) || is_of_t(s.b) || is_of_t(s.c);
  }

 private:
  static void bound(const RTCBoundsFunctionArguments* args) {
    const auto [a, b, c] = static_cast<const BoxScene*>(args->geometryUserPtr)->corners(args->primID);
    RTCBounds& box = *args->bounds_o;
    box.lower_x = std::min({a->x, b->x, c->x});
    box.lower_y = std::min({a->y, b->y, c->y});
    box.lower_z = std::min({a->z, b->z, c->z});
    box.upper_x = std::max({a->x, b->x, c->x});
    box.upper_y = std::max({a->y, b->y, c->y});
    box.upper_z = std::max({a->z, b->z, c->z});
  }

  const MovingMesh& mesh_;
  const Vec3* positions_ = nullptr;
};

// ---- W1

/// Not along an axis, nor along anything that the meshes have in common.
constexpr float kDirection[3] = {0.0521f, 0.0713f, 0.99609f};

constexpr std::size_t kPacket = 16;  ///< rays; some percent faster here than one by one

RTCRayHit16 rays_from(std::span<const Vec3> points) {
  RTCRayHit16 rays{};
  for (std::size_t k = 0; k < points.size(); ++k) {
    rays.ray.org_x[k] = points[k].x;
    rays.ray.org_y[k] = points[k].y;
    rays.ray.org_z[k] = points[k].z;
    rays.ray.dir_x[k] = kDirection[0];
    rays.ray.dir_y[k] = kDirection[1];
    rays.ray.dir_z[k] = kDirection[2];
    rays.ray.tfar[k] = INFINITY;
    rays.ray.mask[k] = ~0u;
    rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
  }
  return rays;
}

/// A point is inside if the first surface that a ray from it meets is left through.
void find_inside(RTCScene scene, std::span<const Vec3> points, std::uint8_t* inside) {
  alignas(64) int valid[kPacket] = {};
  std::fill_n(valid, points.size(), -1);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit16 rays = rays_from(points);
  rtcIntersect16(valid, scene, &context, &rays);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const float out =
        rays.hit.Ng_x[k] * kDirection[0] + rays.hit.Ng_y[k] * kDirection[1] + rays.hit.Ng_z[k] * kDirection[2];
    inside[k] = rays.hit.geomID[k] != RTC_INVALID_GEOMETRY_ID && out > 0 ? 1 : 0;
  }
}

Methods points(const PointsWork& work) {
  struct State {
    TriangleScene scene;
    std::vector<std::uint8_t> inside;
  };
  const auto state =
      std::shared_ptr<State>(new State{TriangleScene(work.solid), std::vector<std::uint8_t>(work.points.size())});
  const auto run = [state, &work](std::size_t pose) {
    state->scene.update(pose);
    for (std::size_t i = 0; i < work.points.size(); i += kPacket) {
      const std::size_t count = std::min(kPacket, work.points.size() - i);
      find_inside(state->scene.scene(), std::span(work.points).subspan(i, count), &state->inside[i]);
    }
  };
  return {{.library = "Embree " + version(),
           .call = "first hit of rays, refit",
           .gives = "points inside",
           .run = run,
           .answer = [state] { return Answer{.inside = state->inside}; }}};
}

// ---- W2 and W3

struct Collision {
  const BoxScene *a, *b;
  std::size_t crossing = 0;
};

void count_crossing(void* user, RTCCollision* candidates, unsigned count) {
  auto& collision = *static_cast<Collision*>(user);
  const bool self = collision.a == collision.b;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned s = candidates[i].primID0, t = candidates[i].primID1;
    if (self && (s >= t || collision.a->share_a_vertex(s, t))) continue;
    if (cross(collision.a->corners(s), collision.b->corners(t))) ++collision.crossing;
  }
}

Method colliding(const std::string& call, std::function<void(std::size_t)> update, const BoxScene& a,
                 const BoxScene& b) {
  const auto found = std::make_shared<std::size_t>(0);
  return {.library = "Embree " + version(),
          .call = call,
          .gives = "pairs of triangles",
          .run =
              [=, &a, &b](std::size_t pose) {
                update(pose);
                Collision collision{&a, &b};
                rtcCollide(a.scene(), b.scene(), count_crossing, &collision);
                *found = collision.crossing;
              },
          .answer = [found] { return Answer{.meets = *found > 0, .triangle_pairs = *found}; }};
}

Methods pair(const PairWork& work) {
  const auto a = std::make_shared<BoxScene>(work.a, Follow::refit),
             b = std::make_shared<BoxScene>(work.b, Follow::refit);
  const auto update = [a, b](std::size_t pose) {
    a->update(pose);
    b->update(pose);
  };
  return {colliding("rtcCollide, refit", update, *a, *b)};
}

/// A refitted tree gives far more candidates of one mesh with itself than a new one, which takes longer to make: both
/// are shown.
Methods self(const SelfWork& work) {
  Methods methods;
  for (const Follow follow : {Follow::rebuild, Follow::refit}) {
    const auto scene = std::make_shared<BoxScene>(work.mesh, follow);
    const auto update = [scene](std::size_t pose) { scene->update(pose); };
    methods.push_back(
        colliding(follow == Follow::refit ? "rtcCollide, refit" : "rtcCollide, rebuild", update, *scene, *scene));
  }
  return methods;
}

// ---- W4

struct BodyCollision {
  const BoxScene *a, *b;
  bool meet = false;
};

/// rtcCollide cannot be told to stop: what comes after the first pair that crosses is not tested.
void find_crossing(void* user, RTCCollision* candidates, unsigned count) {
  auto& collision = *static_cast<BodyCollision*>(user);
  for (unsigned i = 0; i < count && !collision.meet; ++i) {
    collision.meet = cross(collision.a->corners(candidates[i].primID0), collision.b->corners(candidates[i].primID1));
  }
}

BodyBox box_of(const BoxScene& scene) {
  RTCBounds box;
  rtcGetSceneBounds(scene.scene(), &box);
  return {{box.lower_x, box.lower_y, box.lower_z}, {box.upper_x, box.upper_y, box.upper_z}};
}

Methods bodies(const BodiesWork& work) {
  struct State {
    std::vector<std::unique_ptr<BoxScene>> scenes;
    std::vector<BodyPair> meeting;
  };
  const auto state = std::make_shared<State>();
  for (const MovingMesh& body : work.bodies) state->scenes.push_back(std::make_unique<BoxScene>(body, Follow::refit));
  const auto run = [state](std::size_t pose) {
    std::vector<BodyBox> boxes;
    for (const auto& scene : state->scenes) {
      scene->update(pose);
      boxes.push_back(box_of(*scene));
    }
    state->meeting.clear();
    for (const BodyPair& pair : box_pairs(boxes)) {
      const BoxScene &a = *state->scenes[pair.first], &b = *state->scenes[pair.second];
      BodyCollision collision{&a, &b};
      rtcCollide(a.scene(), b.scene(), find_crossing, &collision);
      if (collision.meet) state->meeting.push_back(pair);
    }
  };
  return {{.library = "Embree " + version(),
           .call = "rtcCollide, refit",
           .gives = "pairs of bodies",
           .run = run,
           .answer = [state] { return Answer{.bodies = state->meeting}; }}};
}

}  // namespace

Peer embree_peer() {
  return {.name = "Embree " + version(), .points = points, .pair = pair, .self = self, .bodies = bodies};
}

}  // namespace lamella::bench::peers
