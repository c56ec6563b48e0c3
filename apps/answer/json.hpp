#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lamella/math.hpp"

namespace lamella::answer {

using Json = nlohmann::ordered_json;

/// The double with the shortest digits that is `value` as a float: 0.1f prints as 0.1, not as 0.10000000149011612.
[[nodiscard]] double shortest(float value);
/// The same without std::to_chars, which emscripten's library does not have for floats. Slower.
[[nodiscard]] double shortest_by_trial(float value);

// A box or a position that does not exist is null.
[[nodiscard]] Json to_json(Vec3d p);
[[nodiscard]] Json to_json(Vec3 p);
[[nodiscard]] Json to_json(const Aabb& box, Vec3d origin = {});
/// A vector without negative zeros.
[[nodiscard]] Json plain_json(Vec3d v);

/// On one line. Text that is not UTF-8, such as names of files, is mended rather than refused.
[[nodiscard]] std::string to_line(const Json& value);

}  // namespace lamella::answer
