#include "io/gltf_document.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <set>
#include <string>

#include <fmt/format.h>

#include "io/mapped_file.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"

namespace lamella::io {
namespace {

constexpr int kMaxNesting = 128;
/// Each buffer of a GLB may be a copy of its binary chunk; one is usual, two or three are seen.
constexpr std::size_t kMaxGlbBuffers = 16;

constexpr std::string_view kSections[] = {"asset",  "scene",     "scenes",      "nodes",
                                          "meshes", "accessors", "bufferViews", "buffers"};

/// Looks through JSON text without building anything from it.
class JsonGuard {
 public:
  JsonGuard(const Source& source, std::string_view text, std::size_t offset)
      : source_(source), text_(text), offset_(offset) {}

  /// The text with the names of all other top-level sections blanked out.
  std::string only_sections() {
    std::size_t i = 0;
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == '"') {
        i = string_at(i);
        continue;
      }
      if (c == '{' || c == '[') open(c, i);
      if (c == '}' || c == ']') --depth_;
      ++i;
    }
    return std::move(text_);
  }

  [[nodiscard]] std::size_t buffers() const { return buffers_; }

 private:
  void open(char c, std::size_t at) {
    if (++depth_ > kMaxNesting) fail_at_byte(source_.name, offset_ + at, "expected JSON nested less than 128 deep");
    if (c == '{' && depth_ == 3 && in_buffers_) ++buffers_;
  }

  /// Handles the string that starts at `begin`; returns the place behind it.
  std::size_t string_at(std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    const std::size_t next = text_.find_first_not_of(" \t\r\n", end + 1);
    const bool is_key = next != std::string::npos && text_[next] == ':';
    if (depth_ == 1 && is_key) section(begin + 1, end);
    return end + 1;
  }

  void section(std::size_t begin, std::size_t end) {
    const std::string_view name = std::string_view(text_).substr(begin, end - begin);
    in_buffers_ = name == "buffers";
    if (std::ranges::find(kSections, name) == std::end(kSections)) {
      std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.begin() + static_cast<std::ptrdiff_t>(end),
                '_');
    }
  }

  const Source& source_;
  std::string text_;
  std::size_t offset_;  ///< of the text in the file
  int depth_ = 0;
  std::size_t buffers_ = 0;
  bool in_buffers_ = false;
};

/// Opens buffer files for tinygltf, each once.
struct BufferFiles {
  const Source& source;
  std::filesystem::path folder;
  std::set<std::filesystem::path> opened;

  void read(const std::filesystem::path& path, std::vector<unsigned char>& out) {
    const auto inside = path.lexically_normal().lexically_relative((folder / "").lexically_normal());
    if (inside.string().starts_with("data:")) {
      fail(source.name, fmt::format("expected a data URI of application/octet-stream in base64, found {}",
                                    excerpt(inside.string())));
    }
    if (!source.folder) {
      fail(source.name, fmt::format("its buffer {} is a separate file, which cannot be found from memory; read the "
                                    "mesh from its file, or export it as .glb",
                                    excerpt(inside.string())));
    }
    if (inside.empty() || *inside.begin() == "..") {
      fail(source.name, fmt::format("expected buffers in the file's own folder, found {}", excerpt(path.string())));
    }
    if (!opened.insert(inside).second) {
      fail(source.name, fmt::format("expected each buffer file once, found {} again", excerpt(inside.string())));
    }
    const MappedFile file(path);
    out.assign(file.bytes().begin(), file.bytes().end());
  }
};

tinygltf::FsCallbacks callbacks(BufferFiles& files) {
  tinygltf::FsCallbacks fs{};
  // Every file "exists", so that opening it says why it cannot be opened, and no other folder is searched.
  fs.FileExists = [](const std::string&, void*) { return true; };
  fs.ExpandFilePath = [](const std::string& path, void*) { return path; };
  fs.ReadWholeFile = [](std::vector<unsigned char>* out, std::string*, const std::string& path, void* user) {
    static_cast<BufferFiles*>(user)->read(path, *out);
    return true;
  };
  fs.WriteWholeFile = nullptr;
  fs.user_data = &files;
  return fs;
}

/// Runs one of tinygltf's loaders and turns its ways of failing into Error.
template <class Load>
GltfDocument load(const Source& source, Load load_model) {
  const std::filesystem::path folder = source.folder.value_or("");
  BufferFiles files{source, folder.empty() ? "." : folder, {}};
  tinygltf::TinyGLTF loader;
  loader.SetFsCallbacks(callbacks(files));
  GltfDocument document;
  std::string error, warning;
  bool loaded = false;
  try {
    loaded = load_model(loader, document.model, error, warning, files.folder.string());
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    error = e.what();
  }
  if (!loaded) fail(source.name, fmt::format("expected valid glTF 2.0, found: {}", one_line(error, 160)));

  document.bytes = source.bytes.size();
  for (const tinygltf::Buffer& buffer : document.model.buffers) document.bytes += buffer.data.size();
  return document;
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

/// Checks the header and the lengths of both chunks; returns the length of the first, the JSON text.
std::size_t check_glb(const Source& source) {
  const std::string_view bytes = source.bytes;
  if (!bytes.starts_with("glTF")) {
    fail_at_byte(source.name, 0, fmt::format("expected \"glTF\", found {}", excerpt(bytes.substr(0, 4))));
  }
  constexpr std::size_t kJson = kGlbHeaderBytes + kChunkHeaderBytes;
  if (bytes.size() < kJson) fail_at_byte(source.name, bytes.size(), "expected a GLB header, found the end of the file");
  if (const std::uint32_t version = load_u32(bytes, 4); version != 2) {
    fail_at_byte(source.name, 4, fmt::format("expected GLB version 2, found {}", version));
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
  if (rest == 0) return json;
  if (rest < kChunkHeaderBytes || load_u32(bytes, kJson + json) > rest - kChunkHeaderBytes) {
    fail_at_byte(source.name, kJson + json, "expected a binary chunk that ends within the file");
  }
  return json;
}

}  // namespace

GltfDocument load_gltf(const Source& source) {
  check_size(source);
  const std::string text = JsonGuard(source, source.bytes, 0).only_sections();
  return load(source, [&](auto& loader, auto& model, auto& error, auto& warning, const std::string& folder) {
    return loader.LoadASCIIFromString(&model, &error, &warning, text.data(), static_cast<unsigned>(text.size()),
                                      folder);
  });
}

GltfDocument load_glb(const Source& source) {
  check_size(source);
  const std::size_t json = check_glb(source);
  constexpr std::size_t kJson = kGlbHeaderBytes + kChunkHeaderBytes;
  JsonGuard guard(source, source.bytes.substr(kJson, json), kJson);
  const std::string text = guard.only_sections();
  if (guard.buffers() > kMaxGlbBuffers) {
    fail(source.name, fmt::format("expected at most {} buffers in a GLB, found {}", kMaxGlbBuffers, guard.buffers()));
  }
  std::string bytes(source.bytes);
  bytes.replace(kJson, json, text);
  return load(source, [&](auto& loader, auto& model, auto& error, auto& warning, const std::string& folder) {
    return loader.LoadBinaryFromMemory(&model, &error, &warning, reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<unsigned>(bytes.size()), folder);
  });
}

}  // namespace lamella::io
