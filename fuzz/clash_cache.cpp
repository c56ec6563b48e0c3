// Any bytes as the file of a ClashCache, and as an answer in it.

#include "lamella/clash_cache.hpp"
#include "clash/pair_bytes.hpp"
#include "reading.hpp"

namespace lamella::fuzz {
namespace {

const Folder& folder() {
  static const Folder made;
  return made;
}

/// It is opened, and then has whole answers alone; or an Error says what is wrong with it.
void check_file(const std::filesystem::path& path) {
  std::uint64_t answers = 0;
  try {
    answers = ClashCache(path).answer_count();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(error.kind() == Error::Kind::input, "an unreadable file is an Error of the kind input");
    require(message.starts_with(path.string() + ":"), "messages begin with the file");
    require(printable(message) == message, "messages are one line of printable characters");
    return;
  }
  const auto size = std::filesystem::file_size(path);
  require(ClashCache(path).answer_count() == answers, "the same answers are there again");
  require(std::filesystem::file_size(path) == size, "what was torn is cut off once");
}

void check_answer(std::string_view bytes) {
  const auto pair = clash::pair_of(bytes);
  if (!pair) return;
  std::string again;
  clash::append_bytes(again, *pair);
  require(again == bytes, "an answer has one form");
}

int run(std::span<const std::byte> bytes) {
  check_file(folder().save("cache", bytes));
  check_answer({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return 0;
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
}
