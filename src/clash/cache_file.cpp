// A header, then records that each have a key, the bytes of an answer and a checksum. A file only grows, so that a
// process that is killed leaves whole records and perhaps a piece of one. What is damaged and has no whole record
// behind it is such a piece; anything else was not written like that, and is an Error.

#include "clash/cache_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "clash/pair_bytes.hpp"
#include "io/messages.hpp"
#include "io/output_file.hpp"
#include "lamella/clash_cache.hpp"

namespace lamella {
namespace clash {
namespace {

/// 8 bytes, then the version of the format, then the order of bytes. Answers have a version of their own (reuse.cpp).
constexpr std::string_view kHeader{"lamCLASH\x01\x00\x00\x00\x04\x03\x02\x01", 16};
constexpr std::size_t kMagicBytes = 8;

struct RecordStart {
  std::uint32_t mark;
  std::uint32_t bytes;  ///< of the answer
  WideDigest key;
  std::uint64_t checksum;
};
static_assert(sizeof(RecordStart) == 32);

constexpr std::uint32_t kMark = 0x5253'4C43;
/// How far behind damage a whole record is looked for.
constexpr std::size_t kWindow = std::size_t{1} << 22;
constexpr auto kSyncEvery = std::chrono::seconds(1);

constexpr std::string_view kRemedy = "delete it, and all pairs are tested again";

std::uint64_t checksum_of(const RecordStart& start, std::string_view answer) {
  Digest digest(start.bytes);
  digest.add({reinterpret_cast<const char*>(&start.key), sizeof start.key});
  digest.add(answer);
  return digest.value();
}

struct Record {
  WideDigest key;
  std::string_view answer;
  [[nodiscard]] std::size_t size() const { return sizeof(RecordStart) + answer.size(); }
};

/// The whole record that the bytes begin with.
std::optional<Record> record_in(std::string_view bytes) {
  RecordStart start;
  if (bytes.size() < sizeof start) return std::nullopt;
  std::memcpy(&start, bytes.data(), sizeof start);
  bytes.remove_prefix(sizeof start);
  if (start.mark != kMark || start.bytes > std::min(bytes.size(), kMostPairBytes)) return std::nullopt;
  const std::string_view answer = bytes.substr(0, start.bytes);
  if (checksum_of(start, answer) != start.checksum) return std::nullopt;
  return Record{start.key, answer};
}

void append_record(std::string& to, const WideDigest& key, const ClashPair& pair) {
  const std::size_t first = to.size();
  to.append(sizeof(RecordStart), '\0');
  append_bytes(to, pair);
  const std::string_view answer = std::string_view(to).substr(first + sizeof(RecordStart));
  RecordStart start{kMark, static_cast<std::uint32_t>(answer.size()), key, 0};
  start.checksum = checksum_of(start, answer);
  std::memcpy(to.data() + first, &start, sizeof start);
}

bool has_record(std::string_view bytes) {
  for (std::size_t at = 1; at + sizeof(RecordStart) <= bytes.size(); ++at)
    if (record_in(bytes.substr(at))) return true;
  return false;
}

std::filesystem::path path_of(const std::filesystem::path& path, unsigned process) {
  std::filesystem::path own = path;
  if (process != 0) own += fmt::format(".rank{}", process);
  return own;
}

/// Of all processes, sorted. A folder that cannot be listed has none.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> found{path};
  const std::string start = path.filename().string() + ".rank";
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    const bool ours = name.starts_with(start) && name.size() > start.size() &&
                      name.find_first_not_of("0123456789", start.size()) == std::string::npos;
    if (ours) found.push_back(path.parent_path() / name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Whether it is there at all. A piece of it is what a process left that was killed at its first step.
bool has_header(int file, const std::filesystem::path& path, std::uint64_t size) {
  std::string found(std::min<std::uint64_t>(size, kHeader.size()), '\0');
  if (!io::read_at(file, found, 0)) io::fail_errno(path, "cannot read the file");
  if (found == kHeader) return true;
  if (kHeader.starts_with(found)) return false;
  if (found.size() == kHeader.size() && found.starts_with(kHeader.substr(0, kMagicBytes)))
    io::fail(io::display(path), fmt::format("was made by another version of lamella; {}", kRemedy));
  io::fail(io::display(path), "is no cache of clashes; name another file");
}

}  // namespace

CacheFile::CacheFile(const std::filesystem::path& path, unsigned process)
    : paths_{path_of(path, process)}, synced_(std::chrono::steady_clock::now()) {
  own_ = io::open_alone(paths_[0]);
  open_own();
  for (std::filesystem::path& other : files_of(path))
    if (other != paths_[0]) paths_.push_back(std::move(other));
  read_others();
  buffer_ = {};
}

void CacheFile::open_own() {
  const std::uint64_t found = io::file_size(own_.file, paths_[0]);
  size_ = kHeader.size();
  if (has_header(own_.file, paths_[0], found))
    size_ = read_records(own_.file, 0, found);
  else if (!io::write_at(own_.file, kHeader, 0))
    io::fail_errno(paths_[0], "cannot write the file");
  if (found > size_ && ::ftruncate(own_.file, static_cast<off_t>(size_)) != 0)
    io::fail_errno(paths_[0], "cannot cut the file to its whole answers");
}

/// Their processes may be at work. What is not whole yet does not count.
void CacheFile::read_others() {
  for (std::uint32_t i = 1; i < paths_.size(); ++i) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(paths_[i], failure)) continue;
    const int file = open_file(i);
    const std::uint64_t found = io::file_size(file, paths_[i]);
    if (has_header(file, paths_[i], found)) (void)read_records(file, i, found);
  }
}

/// Where the last whole one ends.
std::uint64_t CacheFile::read_records(int file, std::uint32_t number, std::uint64_t size) {
  std::string_view bytes;  // from `at` on
  std::uint64_t at = kHeader.size(), read = at;
  const auto read_on = [&] {
    buffer_.resize(std::min<std::uint64_t>(kWindow, size - at));
    while (!io::read_at(file, buffer_, at)) {  // its process may be cutting off what is torn
      const std::uint64_t now = io::file_size(file, paths_[number]);
      if (now >= size) io::fail_errno(paths_[number], "cannot read the file");
      size = std::max(now, at);
      buffer_.resize(std::min<std::uint64_t>(kWindow, size - at));
    }
    read = at + buffer_.size();
    bytes = {buffer_.data(), buffer_.size()};
  };
  for (;;) {
    if (bytes.size() < sizeof(RecordStart) + kMostPairBytes && read < size) read_on();
    const auto record = record_in(bytes);
    if (!record) break;
    places_.insert_or_assign(record->key, Place{number, static_cast<std::uint32_t>(record->size()), at});
    at += record->size();
    bytes.remove_prefix(record->size());
  }
  if (at < size) read_on();
  if (read < size || has_record(bytes))
    io::fail(io::display(paths_[number]), fmt::format("is damaged at byte {}; {}", at, kRemedy));
  return at;
}

int CacheFile::open_file(std::uint32_t number) {
  if (number == 0) return own_.file;
  if (number == other_number_) return other_.file;
  other_ = io::Descriptor(::open(paths_[number].c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  other_number_ = number;
  if (other_.file < 0) io::fail_errno(paths_[number], "cannot open the file");
  return other_.file;
}

std::optional<ClashPair> CacheFile::find(const WideDigest& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return std::nullopt;
  const Place& place = found->second;
  buffer_.resize(place.bytes);
  if (io::read_at(open_file(place.file), buffer_, place.at)) {
    const auto record = record_in({buffer_.data(), buffer_.size()});
    auto pair = record && record->key == key ? pair_of(record->answer) : std::nullopt;
    if (pair) return pair;
  }
  io::fail(io::display(paths_[place.file]),
           fmt::format("is damaged at byte {}, or was changed meanwhile; {}", place.at, kRemedy));
}

void CacheFile::append(std::span<const WideDigest> keys, std::span<const ClashPair> pairs) {
  if (failed_) io::fail(io::display(paths_[0]), "an earlier write failed; run the same again, and it continues");
  std::string records;
  std::vector<std::pair<WideDigest, Place>> added;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t first = records.size();
    append_record(records, keys[i], pairs[i]);
    if (records.size() - first > sizeof(RecordStart) + kMostPairBytes) {
      records.resize(first);
      continue;
    }
    added.push_back({keys[i], {0, static_cast<std::uint32_t>(records.size() - first), size_ + first}});
  }
  if (!io::write_at(own_.file, records, size_)) {
    const int reason = errno;
    failed_ = true;
    (void)!::ftruncate(own_.file, static_cast<off_t>(size_));  // opening it would cut it as well
    errno = reason;
    io::fail_errno(paths_[0],
                   "cannot write the answers (those before stay; run the same again when there is room, "
                   "and it continues)");
  }
  size_ += records.size();
  dirty_ = true;
  for (const auto& [key, place] : added) places_.insert_or_assign(key, place);
  if (std::chrono::steady_clock::now() - synced_ >= kSyncEvery) sync();
}

void CacheFile::sync() {
  if (!std::exchange(dirty_, false)) return;
  if (!io::sync(own_.file)) {
    failed_ = true;
    io::fail_errno(paths_[0], "cannot write the answers to the disk (look after the disk, and run the same again)");
  }
  synced_ = std::chrono::steady_clock::now();
}

}  // namespace clash

ClashCache::ClashCache(const std::filesystem::path& path, unsigned process)
    : file_(std::make_unique<clash::CacheFile>(path, process)) {}
ClashCache::~ClashCache() = default;

std::uint64_t ClashCache::answer_count() const { return file_->answer_count(); }

}  // namespace lamella
