#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/packet.hpp"

namespace lamella::session {

/// The members of JSON that came from a page, by name and type. What is missing or wrong throws Error, which names it.
class Request {
 public:
  Request(const Packet& packet, const Json& json) : packet_(packet), json_(json) {}

  [[nodiscard]] const Packet& packet() const { return packet_; }
  /// Null when there is none, or it is null.
  [[nodiscard]] const Json* find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] const Json& member(std::string_view name) const;

  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise = false) const;
  [[nodiscard]] std::uint32_t whole(std::string_view name, std::uint32_t low, std::uint32_t high) const;
  [[nodiscard]] std::uint32_t whole_or(std::string_view name, std::uint32_t otherwise, std::uint32_t low,
                                       std::uint32_t high) const;
  [[nodiscard]] std::uint32_t id(std::string_view name) const { return whole(name, 0, ~std::uint32_t{0}); }
  /// Finite.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] Vec3d vector(std::string_view name) const;
  [[nodiscard]] std::vector<std::uint32_t> ids(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// Whether a list of words has this one; a missing list has none.
  [[nodiscard]] bool wants(std::string_view word) const;

  template <class T>
  [[nodiscard]] std::vector<T> array(std::string_view name) const {
    return read_array<T>(packet_, member(name), name);
  }

  /// Members of a member that is an object; with none, an empty request.
  [[nodiscard]] Request inside(std::string_view name) const;

 private:
  const Packet& packet_;
  const Json& json_;
};

/// Where an object is put.
struct Pose {
  Transform given;     ///< as it came: what the page is told, and is saved
  bool as_is = false;  ///< the quaternion is used as it is; else it is normalised, as the command line does
  /// What to place by.
  [[nodiscard]] Transform used() const;
};

/// Seven numbers. Throws Error when they are not, or the quaternion is not of length 1 but for rounding.
[[nodiscard]] Pose read_pose(const Json& value, bool as_is);
[[nodiscard]] Json pose_json(const Pose& pose);

/// A whole number from `low` to `high`.
[[nodiscard]] std::uint32_t read_whole(const Json& value, std::string_view name, std::uint32_t low, std::uint32_t high);

}  // namespace lamella::session
