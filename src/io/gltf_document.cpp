#include "io/gltf_document.hpp"

#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "io/gltf_files.hpp"
#include "io/gltf_json.hpp"
#include "io/messages.hpp"

namespace lamella::io {
namespace {

[[noreturn]] void fail_from_memory(const Source& source, const std::string& uri) {
  fail(source.name,
       fmt::format("its buffer {} is a separate file, which cannot be found from memory; read the mesh from "
                   "its file, or export it as .glb",
                   excerpt(uri)));
}

/// `binary`: a GLB's second chunk, which buffers without a URI mean.
void fill_buffers(const Source& source, std::string_view binary, GltfModel& model) {
  BufferFiles files(source);
  for (std::size_t i = 0; i < model.buffers.size(); ++i) {
    GltfBuffer& buffer = model.buffers[i];
    if (!buffer.uri.empty()) {
      if (!source.folder) fail_from_memory(source, buffer.uri);
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
