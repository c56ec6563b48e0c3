#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engines/cuda/runtime.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {

/// Triangles of a scene's objects on the device. They never change while the object lives, and numbers of objects are
/// never used again, so that what was copied once can be used until nobody asks for it any more.
class KeptTriangles {
 public:
  /// Those of an object with a number; copied when it is new. The stream's copies are done before this returns.
  const Triangle* get(std::uint32_t id, std::span<const Triangle> triangles, cudaStream_t stream);
  /// Between groups: drops what nobody has asked for in a long time.
  void tidy();

 private:
  struct Entry {
    DeviceArray<Triangle> triangles;
    std::uint64_t used = 0;
  };
  std::unordered_map<std::uint32_t, Entry> entries_;
  std::uint64_t now_ = 0;
};

/// A group on its way to the device: everything in one piece of pinned memory, and one copy. Vertices go anew with
/// every group, triangles of a scene's objects once.
class GroupUpload {
 public:
  /// Lays out the group and fills in what the frame has of it. The last copy must be over. The stream is for triangles
  /// that are new.
  void prepare(const Group& group, const GroupQuery& query, SceneFrame& frame, cudaStream_t stream);
  /// Puts the copy on the stream; again for another try.
  void send(cudaStream_t stream);

  /// What kernels count, once fetch() was waited for.
  void fetch(cudaStream_t stream);
  [[nodiscard]] const SceneState& state() const;
  [[nodiscard]] std::uint32_t open_columns(std::size_t object) const;
  [[nodiscard]] std::uint32_t skipped(std::size_t window) const;
  [[nodiscard]] std::size_t fetched_bytes() const { return facts_bytes_; }

 private:
  /// Where parts begin, in bytes. What kernels count comes first.
  struct Layout {
    std::size_t state = 0, open = 0, skipped = 0, jobs = 0, windows = 0, chunks = 0, rows = 0, partners = 0, owners = 0;
    std::vector<std::size_t> positions, triangles;  ///< by object
  };
  template <class T>
  [[nodiscard]] T* host(std::size_t offset) const {
    return reinterpret_cast<T*>(staging_.data() + offset);
  }
  template <class T>
  [[nodiscard]] T* device(std::size_t offset) const {
    return reinterpret_cast<T*>(memory_.data() + offset);
  }
  void lay_out(const Group& group);
  void write_tables(const Group& group);
  void write_meshes(const Group& group, cudaStream_t stream);
  void write_state(const Group& group, const GroupQuery& query);
  void fill(const Group& group, SceneFrame& frame) const;

  Layout layout_;
  std::size_t bytes_ = 0, facts_bytes_ = 0, chunk_count_ = 0;
  PinnedArray<std::byte> staging_, facts_;
  DeviceArray<std::byte> memory_;
  KeptTriangles kept_;
};

}  // namespace lamella::cuda
