#include "lamella/error.hpp"
#include "session/compress.hpp"

namespace lamella::session {

Bytes to_file(Bytes packet) { return packet; }

Bytes from_file(std::span<const std::byte> file) {
  if (file.size() >= 4 && std::memcmp(file.data(), "LMZ1", 4) == 0)
    throw Error("the saved view is compressed: the page must inflate what follows its first 12 bytes");
  return {file.begin(), file.end()};
}

}  // namespace lamella::session
