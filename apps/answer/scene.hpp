#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "answer/json.hpp"
#include "lamella/scene.hpp"

namespace lamella::answer {

/// What a scene's answer is told with.
struct SceneAsked {
  SceneOptions options;
  std::function<std::string(std::uint32_t)> label;  ///< what tells an object apart, by its number
  double load_ms = 0;
};

/// "open_columns", …: the enumerator.
[[nodiscard]] std::string_view cause_word(Doubt::Cause cause);

/// What stands around an answer in JSON.
struct SceneJsonEnds {
  Json head, tail;     ///< objects whose members come first and last
  bool engine = true;  ///< whether to name the engine
};

/// The object of the contract as text, piece by piece: as one JSON value, each point would take a kilobyte.
void write_scene_json(const SceneResult& result, const SceneAsked& asked, const SceneJsonEnds& ends,
                      const std::function<void(std::string_view)>& sink);
/// The same as one value, for answers without many points.
[[nodiscard]] Json scene_json(const SceneResult& result, const SceneAsked& asked, const SceneJsonEnds& ends);

/// A contact, without the numbers of its objects.
[[nodiscard]] Json contact_json(const Contact& contact);

/// Pairs of which a tolerance was not met.
[[nodiscard]] std::size_t missed_tolerances(const SceneResult& result);

/// One sentence on why it is not known whether two objects collide, and what to do.
[[nodiscard]] std::string doubt_text(const SceneDoubt& doubt, const SceneAsked& asked);

}  // namespace lamella::answer
