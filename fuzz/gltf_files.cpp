// Any bytes as a glTF file with buffers in files of their own: none is opened outside the file's folder.

#include <cstdarg>
#include <cstring>

#include "lamella/mesh_io.hpp"
#include "reading.hpp"

namespace lamella::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;

/// One triangle, its indices, and some bytes more.
std::span<const std::byte> buffer() {
  static const struct {
    float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    std::uint16_t indices[4] = {0, 1, 2, 0};
    float more[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  } contents;
  return std::as_bytes(std::span(&contents, 1));
}

/// home/ has the mesh and its buffers, outside/ what it must not read, also where links lead there.
class Home {
 public:
  Home() {
    for (const char* name : {"home", "home/sub", "outside"}) fs::create_directory(folder_ / name);
    for (const char* name : {"home/a.bin", "home/b c.bin", "home/sub/d.bin", "outside/a.bin"}) {
      folder_.save(name, buffer());
    }
    fs::create_symlink("../outside/a.bin", folder_ / "home/link.bin");
    fs::create_symlink("../outside", folder_ / "home/away");
    fs::create_symlink("a.bin", folder_ / "home/own.bin");
    fs::create_symlink("loop.bin", folder_ / "home/loop.bin");
    home_ = (folder_ / "home").string() + '/';
  }
  [[nodiscard]] fs::path save(std::span<const std::byte> bytes) const { return folder_.save("home/mesh.gltf", bytes); }
  [[nodiscard]] const std::string& prefix() const { return home_; }

 private:
  Folder folder_;
  std::string home_;
};

const Home& home() {
  static const Home made;
  return made;
}

bool watched = false;

void check_opened(const char* path) {
  if (!watched) return;
  std::error_code failure;
  const std::string real = fs::weakly_canonical(path, failure).string();
  require(!failure && real.starts_with(home().prefix()), "only files in the mesh's own folder are opened");
}

struct Watch {
  Watch() { watched = true; }
  ~Watch() { watched = false; }
};

void run(std::span<const std::byte> bytes) {
  const fs::path path = home().save(bytes);
  const auto read = [&] {
    const Watch watch;
    return read_mesh(path, {.max_memory = kLimit});
  };
  // Messages are about the mesh or about a buffer.
  try {
    const MemoryPeak peak;
    const Mesh mesh = read();
    require(MemoryPeak::bytes() <= about(kLimit, bytes.size()), "reading keeps to max_memory");
    for (const Triangle& t : mesh.triangles) {
      require(std::max({t.a, t.b, t.c}) < mesh.positions.size(), "indices are those of vertices");
    }
  } catch (const Error& error) {
    require(std::string_view(error.what()).starts_with(home().prefix()), "messages begin with the file");
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "messages are one line");
  }
}

}  // namespace
}  // namespace lamella::fuzz

// The library's open(), by the linker's option --wrap.
extern "C" int __real_open(const char* path, int flags, ...);
extern "C" int __wrap_open(const char* path, int flags, ...) {  // NOLINT: the linker chooses the name
  lamella::fuzz::check_opened(path);
  std::va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  return __real_open(path, flags, mode);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
  return 0;
}
