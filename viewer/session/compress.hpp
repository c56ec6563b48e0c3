#pragma once

#include "session/packet.hpp"

namespace lamella::session {

/// A packet as a file: "LMZ1", its length, and zlib's bytes; or the packet itself, where zlib is not there: a page
/// compresses by itself.
[[nodiscard]] Bytes to_file(Bytes packet);

/// The packet in a file. Throws Error for one that is cut off or damaged, and for one larger than 2 GiB.
[[nodiscard]] Bytes from_file(std::span<const std::byte> file);

}  // namespace lamella::session
