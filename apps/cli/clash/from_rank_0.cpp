#include "cli/clash/from_rank_0.hpp"

#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "cli/distributed.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

std::size_t processes() { return static_cast<std::size_t>(job_size()); }
std::size_t this_process() { return static_cast<std::size_t>(job_rank()); }

namespace {

void put_failure(Packer& to, Error::Kind kind, std::string_view what) {
  to.put(false);
  to.put(kind);
  to.put_text(what);
}

}  // namespace

std::vector<char> from_rank_0(const std::function<void(Packer&)>& make) {
  Packer out;
  if (job_rank() == 0) {
    try {
      Packer made;
      made.put(true);
      make(made);
      out = std::move(made);
    } catch (const Error& error) {
      put_failure(out, error.kind(), error.what());
    } catch (const std::bad_alloc&) {
      put_failure(out, Error::Kind::input, "out of memory; start more processes, on more machines");
    } catch (const std::exception& error) {
      put_failure(out, Error::Kind::input, error.what());
    }
  }
  std::vector<char> bytes = job_broadcast(out.take());
  Unpacker in(bytes);
  if (in.take<bool>()) return bytes;
  const auto kind = in.take<Error::Kind>();
  throw Error(in.take_text(), kind);
}

void on_rank_0(const std::function<void()>& call) {
  (void)from_rank_0([&](Packer&) { call(); });
}

/// After the flag that it is no Error.
Unpacker content_of(std::span<const char> bytes) { return Unpacker(bytes.subspan(sizeof(bool))); }

}  // namespace lamella::cli
