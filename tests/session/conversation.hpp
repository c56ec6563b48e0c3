#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "lamella/mesh.hpp"
#include "session/packet.hpp"
#include "session/session.hpp"

namespace lamella::test {

using session::Json;

/// A reply of a session, with its arrays.
struct Reply {
  session::Bytes bytes;
  session::Packet packet;  ///< its arrays are in `bytes`

  [[nodiscard]] const Json& operator[](const char* name) const { return packet.json.at(name); }
  [[nodiscard]] std::string error() const;
  template <class T>
  [[nodiscard]] std::vector<T> array(const Json& value) const {
    return session::read_array<T>(packet, value, "array");
  }
};

/// Talks to a session as a page does.
class Conversation {
 public:
  explicit Conversation(const session::SessionOptions& options = {}) : session_(options) {}

  /// Fills in the arrays of a request.
  session::PacketWriter writer;

  /// Sends the request with the arrays of `writer`, and begins a new one.
  Reply send(const Json& request);
  [[nodiscard]] Reply send_bytes(std::span<const std::byte> bytes);

  /// The reply, which must be no error.
  Reply ask(const Json& request);
  /// The message of the error that the reply must be.
  std::string refused(const Json& request);

  /// Adds objects; their ids.
  std::uint32_t add_model(const std::string& name, std::uint32_t faces);
  std::uint32_t add_mesh(const std::string& name, MeshView mesh);

 private:
  session::Session session_;
};

/// The mesh as the bytes of a PLY file.
[[nodiscard]] std::vector<std::uint8_t> ply_of(MeshView mesh);

/// A pose as seven numbers.
[[nodiscard]] Json to_pose(const Transform& pose);

/// Without what differs from run to run: milliseconds.
[[nodiscard]] Json timeless(Json answer);

}  // namespace lamella::test
