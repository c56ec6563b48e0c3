#include <zlib.h>

#include <algorithm>
#include <limits>

#include "lamella/error.hpp"
#include "session/compress.hpp"

namespace lamella::session {
namespace {

constexpr char kMagic[] = "LMZ1";
constexpr std::size_t kHead = 12;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;

[[noreturn]] void fail(const char* why) { throw Error(std::string("the saved view cannot be read: ") + why); }

uInt piece(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

Bytes to_file(Bytes packet) {
  const std::uint64_t size = packet.size();
  uLongf bound = compressBound(static_cast<uLong>(size));
  Bytes out(kHead + bound);
  std::memcpy(out.data(), kMagic, 4);
  std::memcpy(out.data() + 4, &size, sizeof size);
  if (compress2(reinterpret_cast<Bytef*>(out.data() + kHead), &bound, reinterpret_cast<const Bytef*>(packet.data()),
                static_cast<uLong>(size), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error("the view cannot be compressed: there is not enough memory");
  out.resize(kHead + bound);
  return out;
}

Bytes from_file(std::span<const std::byte> file) {
  if (file.size() < kHead || std::memcmp(file.data(), kMagic, 4) != 0) return {file.begin(), file.end()};
  std::uint64_t size = 0;
  std::memcpy(&size, file.data() + 4, sizeof size);
  if (size > kMostBytes) fail("it says that it is larger than 2 GiB");
  const auto coded = file.subspan(kHead);
  constexpr std::size_t kGrowth = std::size_t{1} << 22;  // a length that lies costs no memory
  Bytes out;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) fail("there is not enough memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(coded.data()));
  stream.avail_in = piece(coded.size());
  int status = Z_OK;
  try {
    while (status == Z_OK && out.size() < size) {
      const std::size_t done = out.size();
      out.resize(std::min<std::size_t>(done + std::max(kGrowth, done), static_cast<std::size_t>(size)));
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      stream.avail_out = piece(out.size() - done);
      status = inflate(&stream, Z_NO_FLUSH);
      out.resize(out.size() - stream.avail_out);
      if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_out != 0)) break;  // no more input
    }
  } catch (...) {
    inflateEnd(&stream);
    throw;
  }
  Bytef beyond = 0;
  stream.next_out = &beyond;
  stream.avail_out = 1;
  if (status == Z_OK) status = inflate(&stream, Z_FINISH);  // compares the checksum
  inflateEnd(&stream);
  if (out.size() != size || status != Z_STREAM_END || stream.avail_out == 0) fail("it is cut off or damaged");
  return out;
}

}  // namespace lamella::session
