#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "core/parallel.hpp"
#include "engines/opengl/context.hpp"
#include "engines/opengl/objects.hpp"

namespace lamella::opengl {

/// What an engine and its meshes share while the context exists: the context, uploads, and the threads. Members that
/// use the GPU need the context current.
class Session {
 public:
  Session(std::optional<unsigned> device, unsigned threads);
  ~Session();

  Context context;
  Workers workers;

  /// Copies into `to`, which must be large enough. The data may change once this returns; later commands of the device
  /// see the copied data.
  void upload(std::span<const std::byte> data, Buffer& to);
  /// The same, but the caller copies, and can inspect the data: calls copy(begin, end, to, worker) for chunks of bytes,
  /// on several threads at the same time. All but the last chunk are multiples of kUploadChunk.
  template <class Copy>
  void upload(std::size_t bytes, Buffer& to, const Copy& copy) {
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t part = std::min(bytes - done, kStagingChunks * kUploadChunk);
      std::byte* target = stage(part);
      workers.for_chunks(part, kUploadChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
        copy(done + begin, done + end, target + begin, worker);
      });
      send(part, to, done);
      done += part;
    }
  }
  static constexpr std::size_t kUploadChunk = 8192 * 12;

  /// Waits until the device has finished all commands. Throws when it failed or was lost; `doing` describes the work,
  /// for the message.
  void wait(const char* doing);

 private:
  static constexpr std::size_t kStagingChunks = 340;
  /// Memory for `bytes` that will be uploaded.
  std::byte* stage(std::size_t bytes);
  void send(std::size_t bytes, Buffer& to, std::size_t at);

  std::optional<SharedBuffer> staging_;
  std::size_t staged_ = 0;  ///< bytes that the device may not have read yet
};

/// Milliseconds between marks, by the device's own clock. Read after a wait.
class GpuTimer {
 public:
  explicit GpuTimer(const Gl& gl);
  void mark(std::size_t i) { gl_->QueryCounter(marks_[i].id(), GL_TIMESTAMP); }
  [[nodiscard]] double between(std::size_t i, std::size_t j) const;

 private:
  const Gl* gl_;
  Query marks_[3];
};

}  // namespace lamella::opengl
