#include "cli/html/page.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <array>

#include "lamella/error.hpp"

namespace lamella::cli {

std::string gunzip(std::string_view bytes) {
  constexpr int kGzip = 16;  // as zlib has it: added to the size of the window
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) throw Error("zlib cannot be started");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // which zlib only reads
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 1 << 16> piece{};
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("the page in this program is damaged: build it again");
  return out;
}

std::string require_page(std::string_view asker) {
  if (has_page()) return gunzip(compressed_page());
  throw Error(
      fmt::format("{}: this program was built without the viewer's page; in a checkout of the sources `./run web` "
                  "installs emscripten and node, makes the page, and builds the program with it",
                  asker));
}

}  // namespace lamella::cli
