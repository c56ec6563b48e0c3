// A scene remembers its pairs from frame to frame: the axis that each is sampled along, and the ids of contacts. The
// same question would get another answer after a drag than on the command line. So each question is asked about new
// objects, which share the meshes of those of the last question.

#include "session/scene_keeper.hpp"

#include <algorithm>
#include <utility>

namespace lamella::session {
namespace {

constexpr std::uint64_t kMostAdded = 1'000'000;

bool same(const std::optional<Screen>& a, const std::optional<Screen>& b) {
  return a.has_value() == b.has_value() && (!a || (a->eye == b->eye && a->pixel_angle == b->pixel_angle));
}

/// As far as requests can differ.
bool same(const SceneOptions& a, const SceneOptions& b) {
  return a.engine == b.engine && a.resolution == b.resolution && a.axis == b.axis && a.threads == b.threads &&
         a.tolerance == b.tolerance && a.certify == b.certify && a.self_overlap == b.self_overlap &&
         a.points == b.points && a.max_contacts == b.max_contacts && a.patches == b.patches && a.cell == b.cell &&
         same(a.screen, b.screen) && a.views == b.views && a.normals == b.normals && a.threshold == b.threshold &&
         a.max_crossings == b.max_crossings && a.close_holes == b.close_holes;
}

/// Subtracts `first` from the numbers of all objects, and lets the ids of contacts begin at 1.
void renumber(SceneResult& result, std::uint32_t first) {
  std::uint32_t least = ~std::uint32_t{0};
  for (const Contact& c : result.contacts) least = std::min(least, c.id);
  for (Contact& c : result.contacts) c.id -= least - 1;
  const auto shift = [&](ObjectId& id) { id.number -= first; };
  for (ScenePair& p : result.pairs) {
    shift(p.a);
    shift(p.b);
  }
  for (SceneDoubt& d : result.undecided) {
    shift(d.a);
    shift(d.b);
  }
  for (SceneSelfOverlap& s : result.self_overlaps) shift(s.object);
  for (SceneDefect& d : result.defects) shift(d.object);
}

}  // namespace

ObjectId SceneKeeper::put_again(Object& object) {
  ++added_;
  const auto found = known_.find(object.id);
  if (found == known_.end() || found->second.shape != object.shape) return scene_->add(object.mesh, object.pose.used());
  return scene_->add(found->second.in_scene, object.pose.used());
}

const SceneResult& SceneKeeper::collide(std::span<Object* const> objects, const SceneOptions& options) {
  if (!scene_ || !same(scene_->options(), options) || added_ > kMostAdded) {
    known_.clear();
    scene_.emplace(options);
    added_ = 0;
  }
  std::map<std::uint32_t, Known> now;
  const auto forget = [&](const auto& entries) {
    for (const auto& entry : entries) scene_->remove(entry.second.in_scene);
  };
  try {
    for (Object* const object : objects) now[object->id] = {put_again(*object), object->shape};
    forget(std::exchange(known_, {}));
    known_ = now;
    result_ = scene_->collide();
  } catch (...) {  // what is in the scene is not known any more
    scene_.reset();
    known_.clear();
    throw;
  }
  if (!objects.empty()) renumber(result_, known_.at(objects[0]->id).in_scene.number);
  return result_;
}

}  // namespace lamella::session
