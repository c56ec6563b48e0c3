#include "cli/clash/bcf_zip.hpp"

#include <zip.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

/// The two numbers that a ZIP keeps a time in, from 1980 to 2107.
struct DosTime {
  zip_uint16_t time = 0, date = 0;
};

DosTime dos_time(std::int64_t seconds) {
  constexpr std::int64_t kFirst = 315532800, kLast = 4354819198;  // 1980-01-01, 2107-12-31
  const auto clamped = static_cast<std::time_t>(std::clamp(seconds, kFirst, kLast));
  std::tm utc{};
  gmtime_r(&clamped, &utc);
  return {static_cast<zip_uint16_t>(utc.tm_hour << 11 | utc.tm_min << 5 | utc.tm_sec / 2),
          static_cast<zip_uint16_t>((utc.tm_year - 80) << 9 | (utc.tm_mon + 1) << 5 | utc.tm_mday)};
}

std::string message(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

}  // namespace

struct ZipArchive::State {
  zip_source_t* buffer = nullptr;  ///< what the archive is written to; kept after the archive is closed
  zip_t* archive = nullptr;
  DosTime time{};
};

ZipArchive::ZipArchive(std::int64_t time) : state_(std::make_unique<State>()) {
  state_->time = dos_time(time);
  zip_error_t error;
  zip_error_init(&error);
  state_->buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (state_->buffer == nullptr) throw Error("cannot make a ZIP archive: " + message(error));
  state_->archive = zip_open_from_source(state_->buffer, ZIP_TRUNCATE, &error);
  if (state_->archive == nullptr) {
    zip_source_free(state_->buffer);
    throw Error("cannot make a ZIP archive: " + message(error));
  }
  zip_source_keep(state_->buffer);
  zip_error_fini(&error);
}

ZipArchive::~ZipArchive() {
  if (state_->archive != nullptr) zip_discard(state_->archive);
  zip_source_free(state_->buffer);
}

void ZipArchive::add(const std::string& name, std::string_view content, Method method) {
  // The archive reads its files when it is closed, and frees them with free().
  void* copy = std::malloc(std::max<std::size_t>(content.size(), 1));
  if (copy == nullptr) throw Error("cannot add '" + name + "' to a ZIP archive: memory is used up");
  std::memcpy(copy, content.data(), content.size());
  zip_source_t* source = zip_source_buffer(state_->archive, copy, content.size(), 1);
  if (source == nullptr) std::free(copy);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(state_->archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    if (source != nullptr) zip_source_free(source);
    throw Error("cannot add '" + name + "' to a ZIP archive: " + zip_strerror(state_->archive));
  }
  const auto file = static_cast<zip_uint64_t>(index);
  const zip_int32_t how = method == Method::store ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
  if (zip_set_file_compression(state_->archive, file, how, 0) != 0 ||
      zip_file_set_dostime(state_->archive, file, state_->time.time, state_->time.date, 0) != 0)
    throw Error("cannot add '" + name + "' to a ZIP archive: " + zip_strerror(state_->archive));
}

std::string ZipArchive::finish() {
  if (zip_close(state_->archive) != 0)
    throw Error(std::string("cannot make a ZIP archive: ") + zip_strerror(state_->archive));
  state_->archive = nullptr;
  const auto failed = [&]() -> std::string { throw Error("cannot read back a ZIP archive from memory"); };
  if (zip_source_open(state_->buffer) != 0) return failed();
  zip_stat_t about;
  if (zip_source_stat(state_->buffer, &about) != 0) return failed();
  std::string bytes(about.size, '\0');
  if (zip_source_read(state_->buffer, bytes.data(), about.size) != static_cast<zip_int64_t>(about.size))
    return failed();
  zip_source_close(state_->buffer);
  return bytes;
}

}  // namespace lamella::cli
