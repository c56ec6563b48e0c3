#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "lamella/mesh.hpp"

namespace lamella::session {

struct SessionOptions {
  unsigned threads = 0;                               ///< as Options::threads
  std::uint64_t most_bytes = std::uint64_t{1} << 29;  ///< of a file that is opened; more is an error
  bool native = true;                                 ///< told to the page: engines can be chosen
};

/// What a page talks to: objects, where they are, and questions about them, by packets of JSON and arrays
/// (viewer/PROTOCOL.md). Keeps its engines and memory from request to request. Use it from one thread at a time.
class Session {
 public:
  explicit Session(const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Answers a packet with a packet. Never throws but for want of memory: what goes wrong is said in the reply. The
  /// bytes stay valid until the next call.
  [[nodiscard]] std::span<const std::byte> call(std::span<const std::byte> request);

  /// An object that the program itself has, with no limit to its size; its id. `source` is as in the protocol. The pose
  /// is used as it is. Throws Error for a mesh that cannot be used.
  std::uint32_t add(std::string name, Mesh mesh, nlohmann::ordered_json source, const Transform& pose = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella::session
