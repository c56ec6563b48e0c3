#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/pair_finder.hpp"
#include "scene/edge_normals.hpp"
#include "scene/patch_width.hpp"

namespace lamella {

/// A pair's contacts of the last frame, in object a's frame.
struct Manifold {
  struct Anchor {
    Vec3d position;
    Vec3 normal;  ///< in the world
    std::uint32_t id = 0;
  };
  std::array<Anchor, kMaxContacts> anchors;
  std::uint32_t count = 0;
};

/// Reduces the many spans that two objects share to a few contacts. Keeps its memory between calls.
class ContactMaker {
 public:
  struct Settings {
    Normals normals = Normals::faces;
    std::uint32_t max_contacts = 8;  ///< up to kMaxContacts
    bool all_axes = true;            ///< the pair was sampled along all three axes
  };

  ContactMaker();

  /// What was found before the number of contacts was reduced.
  struct Found {
    float depth = 0;    ///< of the deepest choice
    bool more = false;  ///< some choices are far from all contacts: max_contacts are too few for them
  };

  /// Appends a pair's contacts to `out` and updates its manifold. `views`: the pair's own view first, each with spans.
  /// `pose_a`: of object a. New contacts get the id 0: see number_new_contacts().
  Found make(std::span<const PairView> views, const Settings& settings, const Transform& pose_a, Manifold& manifold,
             std::vector<Contact>& out);

 private:
  void collect(const PairView& view, const Settings& settings);
  void add_choice(const PairView& view, const PairSpan& span, const Settings& settings);
  void collect_all(std::span<const PairView> views, const Settings& settings, const Manifold& manifold,
                   const Transform& pose_a);
  void collect_at_anchors(std::span<const PairView> views, const PairView& this_view, const Settings& settings,
                          const Manifold& manifold, const Transform& pose_a);
  [[nodiscard]] std::size_t outermost_of_deepest(std::size_t deepest) const;
  void choose(std::uint32_t most);
  void separate_from(std::size_t choice);
  template <class At>
  [[nodiscard]] std::size_t nearest_to(const Manifold::Anchor& anchor, const Transform& pose_a, std::size_t count,
                                       const At& contact) const;
  void include_deepest(std::size_t deepest, std::uint32_t most);
  void carry_ids(const Manifold& manifold, const Transform& pose_a);
  void keep_anchors(const Manifold& manifold, const Transform& pose_a);
  [[nodiscard]] float spread() const;
  [[nodiscard]] float near_squared() const;

  std::vector<ContactChoice> choices_, refused_;
  std::vector<std::uint32_t> chosen_, chosen_afresh_;
  std::vector<std::uint32_t> ids_;  ///< of the chosen ones; 0: new
  PatchWidth width_;
  float cell_ = 0;          ///< the largest of the views'
  float normal_scale_ = 0;  ///< weight of a difference in normals against a distance
};

/// Gives a pair's contacts that have no id, and their anchors, the next ids after `last_id`, and advances it.
void number_new_contacts(std::span<Contact> contacts, Manifold& manifold, std::uint32_t& last_id);

}  // namespace lamella
