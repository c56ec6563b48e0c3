// The session of viewer/PROTOCOL.md as a module: a page writes a request into the module's memory, calls, and reads the
// reply where it lies.
#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "viewer/session/session.hpp"

namespace {

struct Module {
  lamella::session::Session session;
  std::unique_ptr<std::byte[]> request;
  std::span<const std::byte> reply;
};

std::string last_error;

/// What `work` returns; or `otherwise`, and the reason is kept.
template <class Result, class Work>
Result guarded(Result otherwise, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    last_error = "out of memory: use smaller meshes or a lower resolution";
  } catch (const std::exception& e) {
    last_error = e.what();
  }
  return otherwise;
}

}  // namespace

extern "C" {

/// Null: see lamella_session_error(). `threads`: those that the module has, the caller's among them.
EMSCRIPTEN_KEEPALIVE Module* lamella_session_new(unsigned threads, double most_bytes) {
  return guarded<Module*>(nullptr, [&] {
    lamella::ThreadPool::set_available(threads);
    return new Module{
        lamella::session::Session({.most_bytes = static_cast<std::uint64_t>(most_bytes), .native = false}),
        nullptr,
        {}};
  });
}

EMSCRIPTEN_KEEPALIVE void lamella_session_free(Module* module) { delete module; }

/// Room for a request of so many bytes, until the next call of it. Null: see lamella_session_error().
EMSCRIPTEN_KEEPALIVE std::byte* lamella_session_request(Module* module, std::size_t size) {
  return guarded<std::byte*>(nullptr, [&] {
    module->request.reset();  // first, so that both need not fit
    module->request.reset(new std::byte[size]);
    return module->request.get();
  });
}

/// Answers the request. Where its reply lies, until the next call. Null: see lamella_session_error().
EMSCRIPTEN_KEEPALIVE const std::byte* lamella_session_call(Module* module, std::size_t size) {
  return guarded<const std::byte*>(nullptr, [&] {
    module->reply = {};
    module->reply = module->session.call({module->request.get(), size});
    return module->reply.data();
  });
}

EMSCRIPTEN_KEEPALIVE std::size_t lamella_session_reply_size(const Module* module) { return module->reply.size(); }

/// UTF-8, ended by a zero.
EMSCRIPTEN_KEEPALIVE const char* lamella_session_error() { return last_error.c_str(); }

}  // extern "C"
