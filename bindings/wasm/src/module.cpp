// The library as a module: one function that is called by name with a record, and answers with a record (value.hpp).
// See ARCHITECTURE.md, "The WebAssembly package", for why this and not a function of C for each.

#include <emscripten/emscripten.h>

#include <exception>
#include <map>
#include <new>

#include "calls.hpp"
#include "core/thread_pool.hpp"
#include "fields.hpp"
#include "lamella/version.hpp"

namespace lamella::wasm {
namespace {

std::map<std::uint32_t, std::unique_ptr<Held>> objects;
std::uint32_t last_id = 0;

void release_object(const Value& arguments, Writer& w) {
  release(argument<double>(arguments, "object"));
  w.null();
}

std::vector<EngineInfo> own_engines() {
  std::vector<EngineInfo> infos = engines();
  for (EngineInfo& info : infos) {
    const std::string_view why = missing_engine(info.name);
    if (why.empty()) continue;
    info.available = false;
    info.why = why;
  }
  return infos;
}

void tell_about(const Value&, Writer& w) {
  FieldWriter visit(w);
  const std::string version = kVersion;
  const unsigned threads = ThreadPool::available();
  visit("version", version);
  visit("threads", threads);
  visit("engines", own_engines());
  visit("sceneEngines", scene_engines());
  visit.finish();
}

Functions own_functions() {
  static constexpr Function kAll[] = {{"about", tell_about}, {"free", release_object}};
  return kAll;
}

const Function& find_function(std::string_view name) {
  for (const auto part : {own_functions, mesh_functions, query_functions, measure_functions, scene_functions,
                          response_functions, image_functions, extra_functions})
    for (const Function& function : part())
      if (function.name == name) return function;
  throw Error("there is no such function");
}

Writer reply;

void call(std::span<const std::byte> request) {
  const Value value = decode(request);
  const auto* list = value.get<Value::List>();
  if (list == nullptr || list->size() != 2) throw Error("a request is not well formed");
  const auto* name = (*list)[0].get<std::string_view>();
  find_function(name != nullptr ? *name : std::string_view()).call((*list)[1], reply);
}

}  // namespace

double hold(std::unique_ptr<Held> object) {
  while (objects.contains(++last_id) || last_id == 0) {
  }
  objects[last_id] = std::move(object);
  return last_id;
}

void release(double id) { objects.erase(static_cast<std::uint32_t>(id)); }

Held& held_argument(const Value& arguments, const char* name) {
  const auto found = objects.find(static_cast<std::uint32_t>(argument<double>(arguments, name)));
  if (found == objects.end()) throw Error("this object was freed");
  return *found->second;
}

void fail_kind(const char* name) { throw Error(std::string(name) + ": an object of another kind was expected"); }

}  // namespace lamella::wasm

extern "C" {

/// `threads`: those that the module has, the caller's among them.
EMSCRIPTEN_KEEPALIVE void lamella_start(unsigned threads) { lamella::ThreadPool::set_available(threads); }

/// Null when there is no memory left.
EMSCRIPTEN_KEEPALIVE void* lamella_allocate(std::size_t bytes) {
  return ::operator new (bytes == 0 ? 1 : bytes, std::align_val_t{16}, std::nothrow);
}
EMSCRIPTEN_KEEPALIVE void lamella_free(void* p) { ::operator delete (p, std::align_val_t{16}); }

/// True: the reply is the answer; false: it is a text, why there is none. It stays until the next call.
EMSCRIPTEN_KEEPALIVE bool lamella_call(const std::byte* request, std::size_t size) {
  using lamella::wasm::reply;
  reply.clear();
  const auto fail = [](const char* why) {
    reply.clear();
    reply.text(why);
    return false;
  };
  try {
    lamella::wasm::call({request, size});
    return true;
  } catch (const std::bad_alloc&) {
    return fail("out of memory: free what is no longer used, or use smaller meshes or a lower resolution");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
EMSCRIPTEN_KEEPALIVE const std::byte* lamella_reply() { return lamella::wasm::reply.bytes().data(); }
EMSCRIPTEN_KEEPALIVE std::size_t lamella_reply_size() { return lamella::wasm::reply.bytes().size(); }

}  // extern "C"
