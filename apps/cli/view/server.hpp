#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace lamella::cli {

struct ServerOptions {
  std::uint16_t port = 0;                             ///< 0: one that is free
  bool keep = false;                                  ///< does not end with the page
  std::uint64_t most_bytes = std::uint64_t{1} << 30;  ///< of a request
  std::chrono::milliseconds after_bye{3000};  ///< a page said that it closes: one that is loaded anew is back by then
  std::chrono::milliseconds after_silence{30000};  ///< no page asked for anything, and none is waiting
  std::chrono::milliseconds longest_wait{20000};   ///< of a page that waits, until it must ask again
};

/// Serves a page on the loopback address to whoever knows a random token, and hands what the page asks to `answer`, one
/// request at a time. Every request needs the token, and must come from this address: a page of another site that
/// guesses the port gets nothing, nor does a name that leads to 127.0.0.1.
///
///   GET  /       the page
///   POST /call   a packet for `answer`, and its reply
///   GET  /alive  returns after longest_wait: as long as a page waits for it, the server stays
///   POST /bye    a page closes
///
/// No request names a file: there is none that could be read.
class ViewServer {
 public:
  /// Bytes that stay valid until the next call.
  using Answer = std::function<std::span<const std::byte>(std::span<const std::byte>)>;

  /// Binds the port. `page` has an empty element for the token (kServerMarker). Throws Error when the port is taken, or
  /// when the program was built without a server.
  ViewServer(std::string page, Answer answer, const ServerOptions& options = {});
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  /// With the token in it.
  [[nodiscard]] const std::string& address() const;

  enum class End : std::uint8_t { page_gone, stopped };
  /// Serves until the last page is gone, or `stop` says so, which is asked every few dozen milliseconds.
  [[nodiscard]] End run(const std::function<bool()>& stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the program was built with a server.
[[nodiscard]] bool has_server();

}  // namespace lamella::cli
