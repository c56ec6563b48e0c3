#include "io/gltf_document.hpp"

#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "io/data_uri.hpp"
#include "io/gltf_json.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

/// Opens the files that buffers name.
class BufferFiles {
 public:
  explicit BufferFiles(const Source& source) : source_(source) {}

  FileBytes read(const std::string& uri) {
    const std::filesystem::path path = locate(uri);
    if (!opened_.insert(path).second) fail_buffer("expected each buffer file once, found {} again", uri);
    const InputFile file(path);
    source_.memory.add_file(file.size());
    return file.read(source_.memory);
  }

 private:
  /// The file, with every symbolic link followed. It may not exist.
  std::filesystem::path locate(const std::string& uri) const {
    if (!source_.folder) {
      fail_buffer(
          "its buffer {} is a separate file, which cannot be found from memory; read the mesh from its file, or "
          "export it as .glb",
          uri);
    }
    const std::filesystem::path name = decode_percent(uri);
    const std::filesystem::path folder = source_.folder->empty() ? "." : *source_.folder;
    const bool plain = !has_scheme(uri) && name.is_relative() && name.string().find('\0') == std::string::npos;
    if (!plain || !is_inside(name.lexically_normal())) fail_outside(uri);
    std::error_code failure;
    const std::filesystem::path real_folder = std::filesystem::canonical(folder, failure);
    if (failure) fail_buffer("its buffer {} cannot be looked for in its folder: " + failure.message(), uri);
    const std::filesystem::path real = std::filesystem::weakly_canonical(folder / name, failure);
    if (failure) fail_buffer("its buffer {} cannot be found: " + failure.message(), uri);
    if (!is_inside(real.lexically_relative(real_folder))) fail_outside(uri);
    return real;
  }

  static bool is_inside(const std::filesystem::path& relative) {
    return !relative.empty() && *relative.begin() != ".." && relative.is_relative();
  }
  [[noreturn]] void fail_outside(const std::string& uri) const {
    fail_buffer(
        "expected buffers in the file's own folder, found {}, which is not, or is a link to elsewhere; copy it "
        "there",
        uri);
  }
  [[noreturn]] void fail_buffer(const std::string& message, const std::string& uri) const {
    fail(source_.name, fmt::format(fmt::runtime(message), excerpt(uri)));
  }

  const Source& source_;
  std::set<std::filesystem::path> opened_;
};

/// `binary`: a GLB's second chunk, which buffers without a URI mean.
void fill_buffers(const Source& source, std::string_view binary, GltfModel& model) {
  BufferFiles files(source);
  for (std::size_t i = 0; i < model.buffers.size(); ++i) {
    GltfBuffer& buffer = model.buffers[i];
    if (!buffer.uri.empty()) {
      buffer.own = files.read(buffer.uri);
      buffer.contents = buffer.own.bytes();
    } else if (buffer.contents.empty()) {
      buffer.contents = binary;
    }
    if (buffer.length < 0 || static_cast<std::uint64_t>(buffer.length) > buffer.contents.size()) {
      fail(source.name, fmt::format("expected buffer {} of at least {} bytes (its byteLength), found {}", i,
                                    buffer.length, buffer.contents.size()));
    }
    buffer.contents = buffer.contents.substr(0, static_cast<std::size_t>(buffer.length));
  }
}

std::uint32_t load_u32(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void check_size(const Source& source) {
  if (source.bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(source.name, "expected a glTF file below 4 GiB; keep its buffers in files of their own");
  }
}

constexpr std::size_t kGlbHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;
constexpr std::size_t kJson = kGlbHeaderBytes + kChunkHeaderBytes;

/// Of a GLB, within its bytes.
struct Chunks {
  std::string_view json, binary;
};

/// Checks the header and the lengths of both chunks.
Chunks split_glb(const Source& source) {
  const std::string_view bytes = source.bytes;
  if (!bytes.starts_with("glTF")) {
    fail_at_byte(source.name, 0, fmt::format("expected \"glTF\", found {}", excerpt(bytes.substr(0, 4))));
  }
  if (bytes.size() < kJson) fail_at_byte(source.name, bytes.size(), "expected a GLB header, found the end of the file");
  if (const std::uint32_t version = load_u32(bytes, 4); version != 2) {
    fail_at_byte(source.name, 4,
                 fmt::format("expected GLB version 2, found {}{}", version,
                             version == 1 ? ", that is glTF 1.0; convert it to 2.0" : ""));
  }
  const std::size_t length = load_u32(bytes, 8);
  if (length > bytes.size()) {
    fail_at_byte(source.name, 8, fmt::format("expected {} bytes, found {}; the file is cut off", length, bytes.size()));
  }
  const std::size_t json = load_u32(bytes, kGlbHeaderBytes);
  if (length < kJson || json > length - kJson) {
    fail_at_byte(source.name, kGlbHeaderBytes, fmt::format("expected a JSON chunk in the file, found length {}", json));
  }
  const std::size_t rest = length - kJson - json;
  const std::string_view text = bytes.substr(kJson, json);
  if (rest == 0) return {text, {}};
  if (rest < kChunkHeaderBytes || load_u32(bytes, kJson + json) > rest - kChunkHeaderBytes) {
    fail_at_byte(source.name, kJson + json, "expected a binary chunk that ends within the file");
  }
  return {text, bytes.substr(kJson + json + kChunkHeaderBytes, load_u32(bytes, kJson + json))};
}

}  // namespace

GltfModel load_gltf(const Source& source) {
  check_size(source);
  GltfModel model = read_gltf_json(source, source.bytes, 0);
  fill_buffers(source, {}, model);
  return model;
}

GltfModel load_glb(const Source& source) {
  check_size(source);
  const Chunks chunks = split_glb(source);
  GltfModel model = read_gltf_json(source, chunks.json, kJson);
  fill_buffers(source, chunks.binary, model);
  return model;
}

}  // namespace lamella::io
