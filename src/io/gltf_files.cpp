#include "io/gltf_files.hpp"

#include <system_error>

#include <fmt/format.h>

#include "io/data_uri.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

[[noreturn]] void fail_buffer(const Source& source, const std::string& message, const std::string& uri) {
  fail(source.name, fmt::format(fmt::runtime(message), excerpt(uri)));
}
[[noreturn]] void fail_outside(const Source& source, const std::string& uri) {
  fail_buffer(source,
              "expected buffers in the file's own folder, found {}, which is not, or is a link to elsewhere; copy it "
              "there",
              uri);
}

bool is_inside(const std::filesystem::path& relative) {
  return !relative.empty() && *relative.begin() != ".." && relative.is_relative();
}

/// The file, with every symbolic link followed. It may not exist.
std::filesystem::path locate(const Source& source, const std::string& uri) {
  const std::filesystem::path name = decode_percent(uri);
  const std::filesystem::path folder = source.folder->empty() ? "." : *source.folder;
  const bool plain = !has_scheme(uri) && name.is_relative() && name.string().find('\0') == std::string::npos;
  if (!plain || !is_inside(name.lexically_normal())) fail_outside(source, uri);
  std::error_code failure;
  const std::filesystem::path real_folder = std::filesystem::canonical(folder, failure);
  if (failure) fail_buffer(source, "its buffer {} cannot be looked for in its folder: " + failure.message(), uri);
  const std::filesystem::path real = std::filesystem::weakly_canonical(folder / name, failure);
  if (failure) fail_buffer(source, "its buffer {} cannot be found: " + failure.message(), uri);
  if (!is_inside(real.lexically_relative(real_folder))) fail_outside(source, uri);
  return real;
}

}  // namespace

FileBytes BufferFiles::read(const std::string& uri) {
  const std::filesystem::path path = locate(source_, uri);
  if (!opened_.insert(path).second) fail_buffer(source_, "expected each buffer file once, found {} again", uri);
  const InputFile file(path);
  source_.memory.add_file(file.size());
  return file.read(source_.memory);
}

}  // namespace lamella::io
