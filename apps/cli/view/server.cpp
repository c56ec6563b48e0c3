// HTTP by cpp-httplib, which decides nothing here: what a request may do is decided in refusal() and nowhere else.

#include "cli/view/server.hpp"

#include <fmt/core.h>
#include <httplib.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/html/fill.hpp"
#include "cli/html/page.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::chrono::milliseconds kLook{40};  ///< from one look at `stop` to the next
constexpr std::size_t kThreads = 64;            ///< of requests: each open page holds one, by /alive

/// 128 bits, as 32 digits.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("view: the system gives no random numbers, without which the page would not be protected");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// In a time that does not tell how much of it is right.
bool same_token(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    different |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  return different == 0;
}

/// What every reply says: nothing of it is kept, shown inside another page, or looked into by one; and the page gets
/// shared memory for its threads.
httplib::Headers reply_headers() {
  return {{"Cache-Control", "no-store"},
          {"Content-Security-Policy",
           "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; "
           "img-src data: blob:; font-src data:; connect-src 'self' data: blob:; worker-src blob:; base-uri 'none'; "
           "form-action 'none'; frame-ancestors 'none'"},
          {"Cross-Origin-Embedder-Policy", "require-corp"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Referrer-Policy", "no-referrer"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"}};
}

struct Refusal {
  int status = 403;
  std::string why;
};

void refuse(httplib::Response& response, const Refusal& refusal) {
  response.status = refusal.status;
  response.set_content(refusal.why + "\n", "text/plain; charset=utf-8");
}

}  // namespace

struct ViewServer::State {
  State(std::string given_page, Answer given_answer, const ServerOptions& given)
      : options(given), token(random_token()), answer(std::move(given_answer)) {
    page = fill_page(given_page, "Lamella", kServerMarker, fmt::format(R"({{"token":"{}"}})", token));
    set_up();
    bind();
    for (const char* name : {kLoopback, "localhost"}) {
      hosts.push_back(fmt::format("{}:{}", name, port));
      origins.push_back(fmt::format("http://{}:{}", name, port));
    }
    address = fmt::format("http://{}:{}/?token={}", kLoopback, port, token);
  }

  void set_up() {
    // The library's own would let a second program listen at the same port, and get half of the requests.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server.set_default_headers(reply_headers());
    server.set_tcp_nodelay(true);
    server.set_payload_max_length(options.most_bytes);
    // One request for a connection: what a refused one has not read cannot be taken for the next.
    server.set_keep_alive_max_count(1);
    server.set_keep_alive_timeout(2);
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      using Done = httplib::Server::HandlerResponse;
      if (const auto no = refusal(request)) return refuse(response, *no), Done::Handled;
      if (request.method == "POST") return Done::Unhandled;  // its content is still to be read
      request.path == "/" ? send_page(response) : hold(response);
      return Done::Handled;
    });
    const auto post = [this](const httplib::Request& request, httplib::Response& response,
                             const httplib::ContentReader& read) {
      std::string content;
      const bool whole = read([&](const char* data, std::size_t size) {
        content.append(data, size);
        return content.size() <= options.most_bytes;
      });
      if (!whole) return;  // the library says why
      request.path == "/bye" ? say_bye() : call(content, response);
    };
    server.Post("/call", post);
    server.Post("/bye", post);
  }

  void bind() {
    if (options.port == 0) {
      const int found = server.bind_to_any_port(kLoopback);
      if (found <= 0) throw Error("view: no port of the loopback address is free");
      port = static_cast<std::uint16_t>(found);
      return;
    }
    port = options.port;
    if (server.bind_to_port(kLoopback, port)) return;
    throw Error(fmt::format("--port: {} cannot be used ({}); type another, or leave it out: a free one is then taken",
                            port, std::strerror(errno)));
  }

  /// Nothing for a request that may be answered.
  [[nodiscard]] std::optional<Refusal> refusal(const httplib::Request& request) const {
    const auto is_one_of = [](const std::vector<std::string>& allowed, const std::string& given) {
      return std::find(allowed.begin(), allowed.end(), given) != allowed.end();
    };
    // A page elsewhere whose name leads here, or which asks from there, must learn nothing: not even what there is.
    if (request.get_header_value_count("Host") != 1 || !is_one_of(hosts, request.get_header_value("Host")))
      return Refusal{403, "this server answers at its own address only"};
    for (std::size_t i = 0; i < request.get_header_value_count("Origin"); ++i)
      if (!is_one_of(origins, request.get_header_value("Origin", i)))
        return Refusal{403, "this server answers its own page only"};
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none")
      return Refusal{403, "this server answers its own page only"};
    if (request.get_param_value_count("token") != 1 || !same_token(request.get_param_value("token"), token))
      return Refusal{403, "the address needs the token that `lamella view` printed"};
    const bool get = request.method == "GET", post = request.method == "POST";
    if (!get && !post) return Refusal{405, "only GET and POST"};
    const bool known =
        get ? request.path == "/" || request.path == "/alive" : request.path == "/call" || request.path == "/bye";
    if (!known) return Refusal{404, "there is nothing here"};
    // Without a length, or compressed, there would be no end to how much must be read.
    if (post && (request.has_header("Transfer-Encoding") || !request.has_header("Content-Length")))
      return Refusal{411, "a request needs a Content-Length"};
    if (request.has_header("Content-Encoding") || request.is_multipart_form_data())
      return Refusal{415, "a request is a packet as it is"};
    return std::nullopt;
  }

  void send_page(httplib::Response& response) {
    note([this] { ends_at = Clock::now() + options.after_silence; });
    // By a provider, as the library would compress a text anew each time, for seconds.
    response.set_content_provider(page.size(), "text/html; charset=utf-8",
                                  [this](std::size_t from, std::size_t count, httplib::DataSink& sink) {
                                    return sink.write(page.data() + from, count);
                                  });
  }

  /// /alive: the page is there as long as it waits.
  void hold(httplib::Response& response) {
    std::unique_lock lock(mutex);
    ++waiting;
    ends_at.reset();
    const unsigned before = byes;
    changed.wait_for(lock, options.longest_wait, [&] { return stopping || byes != before; });
    if (--waiting == 0 && !ends_at) ends_at = Clock::now() + options.after_silence;
    response.status = 204;
  }

  /// All that wait are let go: pages that are still there ask again at once.
  void say_bye() {
    note([this] {
      ++byes;
      ends_at = Clock::now() + options.after_bye;
    });
    changed.notify_all();
  }

  void call(const std::string& content, httplib::Response& response) {
    const Calling calling(*this);
    const std::lock_guard one(answering);
    const auto reply = answer(std::as_bytes(std::span(content)));
    response.body.assign(reinterpret_cast<const char*>(reply.data()), reply.size());
    response.set_header("Content-Type", "application/octet-stream");
  }

  /// While it lives the server does not end: an answer may take longer than a page is silent.
  struct Calling {
    explicit Calling(State& given) : state(given) {
      state.note([this] { ++state.calls; });
    }
    ~Calling() {
      state.note([this] {
        --state.calls;
        if (state.ends_at) state.ends_at = std::max(*state.ends_at, Clock::now() + state.options.after_bye);
      });
    }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;
    State& state;
  };

  template <class Change>
  void note(Change change) {
    const std::lock_guard lock(mutex);
    change();
  }

  [[nodiscard]] bool is_over() {
    const std::lock_guard lock(mutex);
    return !options.keep && calls == 0 && ends_at && Clock::now() >= *ends_at;
  }

  ServerOptions options;
  std::string token, page, address;
  std::uint16_t port = 0;
  std::vector<std::string> hosts, origins;  ///< by which this server may be addressed, and asked
  httplib::Server server;

  std::mutex answering;  ///< held by who calls `answer`
  Answer answer;

  std::mutex mutex;  ///< of what follows
  std::condition_variable changed;
  bool stopping = false;
  unsigned waiting = 0, calls = 0, byes = 0;
  std::optional<Clock::time_point> ends_at;  ///< unless a page asks again; not before the first page came
};

ViewServer::ViewServer(std::string page, Answer answer, const ServerOptions& options)
    : state_(std::make_unique<State>(std::move(page), std::move(answer), options)) {}
ViewServer::~ViewServer() = default;

const std::string& ViewServer::address() const { return state_->address; }

ViewServer::End ViewServer::run(const std::function<bool()>& stop) {
  State& state = *state_;
  std::atomic<bool> ended = false;
  std::thread listening([&] {
    state.server.listen_after_bind();
    ended = true;
  });
  while (!state.server.is_running() && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  End end = End::stopped;
  while (!stop() && !ended) {
    if (state.is_over()) {
      end = End::page_gone;
      break;
    }
    std::this_thread::sleep_for(kLook);
  }
  state.note([&] { state.stopping = true; });
  state.changed.notify_all();
  state.server.stop();
  listening.join();
  return end;
}

bool has_server() { return true; }

}  // namespace lamella::cli
