#include "geometry_image/file/tiff.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "io/messages.hpp"

#if !defined(TIFFLIB_AT_LEAST)
#error "libtiff 4.5 or later is needed: earlier ones have no error handlers for a single file, and print"
#endif

namespace lamella::io {
namespace {

/// Tells libtiff not to print the message itself.
constexpr int kHandled = 1;

void keep(char (&message)[TiffLog::kBytes], const char* format, std::va_list arguments) {
  if (message[0] == '\0') std::vsnprintf(message, sizeof message, format, arguments);
}

int on_error(TIFF*, void* log, const char*, const char* format, std::va_list arguments) {
  keep(static_cast<TiffLog*>(log)->error, format, arguments);
  return kHandled;
}

int on_warning(TIFF*, void* user_data, const char*, const char* format, std::va_list arguments) {
  auto& log = *static_cast<TiffLog*>(user_data);
  keep(log.warning, format, arguments);
  if (std::strstr(format, "IO error") != nullptr) log.cut_short = true;
  return kHandled;
}

struct OptionsFree {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};
using Options = std::unique_ptr<TIFFOpenOptions, OptionsFree>;

Options options_for(TiffLog& log) {
  Options options(TIFFOpenOptionsAlloc());
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &log);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &log);
  return options;
}

/// The place that lseek(2) would go to.
std::uint64_t target(std::uint64_t at, std::uint64_t size, std::uint64_t to, int from) {
  return from == SEEK_SET ? to : from == SEEK_CUR ? at + to : size + to;
}

int keep_open(thandle_t) { return 0; }

bool looks_like_tiff(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (const std::string_view start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {
    if (bytes.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

std::string TiffLog::remark() const {
  const std::string_view said = error[0] != '\0' ? error : warning;
  return said.empty() ? std::string() : " (libtiff: " + one_line(said, kBytes) + ")";
}

// ---- reading

tmsize_t TiffInput::read(thandle_t handle, void* to, tmsize_t count) {
  auto& source = *static_cast<Source*>(handle);
  if (count <= 0 || source.at >= source.bytes.size()) return 0;
  const std::uint64_t bytes =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(count), source.bytes.size() - source.at);
  std::memcpy(to, source.bytes.data() + source.at, bytes);
  source.at += bytes;
  return static_cast<tmsize_t>(bytes);
}

toff_t TiffInput::seek(thandle_t handle, toff_t to, int from) {
  auto& source = *static_cast<Source*>(handle);
  return source.at = target(source.at, source.bytes.size(), to, from);
}

TiffInput::TiffInput(std::string_view file, const std::string& name)
    : source_(std::make_unique<Source>(Source{file})), log_(std::make_unique<TiffLog>()) {
  if (file.empty()) fail(name, "the file is empty");
  if (!looks_like_tiff(file)) {
    fail(name, fmt::format("expected a TIFF file, which begins with \"II*\" or \"MM\"; found {}; geometry images are "
                           "made with `lamella gi make`",
                           excerpt(file.substr(0, 4))));
  }
  const auto map = [](thandle_t handle, void** base, toff_t* size) {
    const std::string_view bytes = static_cast<Source*>(handle)->bytes;
    *base = const_cast<char*>(bytes.data());
    *size = bytes.size();
    return 1;
  };
  const auto size = [](thandle_t handle) -> toff_t { return static_cast<Source*>(handle)->bytes.size(); };
  const auto no_write = [](thandle_t, void*, tmsize_t) -> tmsize_t { return -1; };
  const auto no_unmap = [](thandle_t, void*, toff_t) {};

  const Options options = options_for(*log_);
  // Nothing in a directory is longer than the file; what comes on top is for libtiff's own tables.
  constexpr std::uint64_t kTables = 1 << 20;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(this->size() + kTables));
  // D: lists of strips are read when asked for, which is after sizes were checked. c: strips are taken as they are.
  tiff_.reset(TIFFClientOpenExt(name.c_str(), "rDc", source_.get(), read, no_write, seek, keep_open, size, map,
                                no_unmap, options.get()));
  if (!tiff_) {
    fail(name, "the TIFF file is damaged or cut short; copy it again, or write it again" + log_->remark());
  }
}

// ---- writing

void TiffOutput::Memory::copy_in(const char* from, std::uint64_t count) {
  while (count > 0) {
    const std::uint64_t chunk = at / kChunk, offset = at % kChunk, bytes = std::min(count, kChunk - offset);
    while (chunks.size() <= chunk) chunks.push_back(std::make_unique<char[]>(kChunk));
    std::memcpy(chunks[chunk].get() + offset, from, bytes);
    from += bytes;
    count -= bytes;
    at += bytes;
    size = std::max(size, at);
  }
}

void TiffOutput::Memory::copy_out(char* to, std::uint64_t count) {
  while (count > 0) {
    const std::uint64_t offset = at % kChunk, bytes = std::min(count, kChunk - offset);
    std::memcpy(to, chunks[at / kChunk].get() + offset, bytes);
    to += bytes;
    count -= bytes;
    at += bytes;
  }
}

tmsize_t TiffOutput::write(thandle_t handle, void* from, tmsize_t count) {
  auto& memory = *static_cast<Memory*>(handle);
  try {
    memory.copy_in(static_cast<const char*>(from), static_cast<std::uint64_t>(count));
    return count;
  } catch (...) {
    memory.failure = std::current_exception();
    return -1;
  }
}

tmsize_t TiffOutput::read(thandle_t handle, void* to, tmsize_t count) {
  auto& memory = *static_cast<Memory*>(handle);
  if (count <= 0 || memory.at >= memory.size) return 0;
  const std::uint64_t bytes = std::min(static_cast<std::uint64_t>(count), memory.size - memory.at);
  memory.copy_out(static_cast<char*>(to), bytes);
  return static_cast<tmsize_t>(bytes);
}

toff_t TiffOutput::seek(thandle_t handle, toff_t to, int from) {
  auto& memory = *static_cast<Memory*>(handle);
  return memory.at = target(memory.at, memory.size, to, from);
}

toff_t TiffOutput::size(thandle_t handle) { return static_cast<Memory*>(handle)->size; }

TiffOutput::TiffOutput(std::string name, bool big) : name_(std::move(name)) {
  const Options options = options_for(*log_);
  // l: little-endian, whatever the machine.
  tiff_.reset(TIFFClientOpenExt(name_.c_str(), big ? "wl8" : "wl", memory_.get(), read, write, seek, keep_open, size,
                                nullptr, nullptr, options.get()));
  expect(tiff_ != nullptr);
}

void TiffOutput::expect(bool done) const {
  if (done) return;
  if (memory_->failure) std::rethrow_exception(memory_->failure);
  fail(name_, "cannot make the TIFF file" + log_->remark());
}

void TiffOutput::save(NewFile& file) {
  tiff_.reset();
  expect(log_->error[0] == '\0' && !memory_->failure);
  std::uint64_t left = memory_->size;
  for (const auto& chunk : memory_->chunks) {
    const std::uint64_t bytes = std::min(left, Memory::kChunk);
    file.write(std::string_view(chunk.get(), bytes));
    left -= bytes;
  }
}

}  // namespace lamella::io
