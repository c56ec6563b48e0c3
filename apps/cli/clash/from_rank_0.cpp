#include "cli/clash/from_rank_0.hpp"

#include <utility>

#include "cli/distributed.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

std::size_t processes() { return static_cast<std::size_t>(job_size()); }
std::size_t this_process() { return static_cast<std::size_t>(job_rank()); }

std::vector<char> from_rank_0(const std::function<void(Packer&)>& make) {
  Packer out;
  if (job_rank() == 0) {
    try {
      Packer made;
      made.put(true);
      make(made);
      out = std::move(made);
    } catch (const Error& error) {
      out.put(false);
      out.put(error.kind());
      out.put_text(error.what());
    }
  }
  std::vector<char> bytes = job_broadcast(out.take());
  Unpacker in(bytes);
  if (in.take<bool>()) return bytes;
  const auto kind = in.take<Error::Kind>();
  throw Error(in.take_text(), kind);
}

/// After the flag that it is no Error.
Unpacker content_of(std::span<const char> bytes) { return Unpacker(bytes.subspan(sizeof(bool))); }

}  // namespace lamella::cli
