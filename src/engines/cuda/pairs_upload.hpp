#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engines/cuda/runtime.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {

/// Triangles of a scene's objects on the device. They never change while the object exists, and object numbers are
/// never reused, so a copy can be kept until it is no longer requested.
class KeptTriangles {
 public:
  /// The triangles of the object with this number; copied if it is new. The copies on the stream are complete when this
  /// returns.
  const Triangle* get(std::uint32_t id, std::span<const Triangle> triangles, cudaStream_t stream);
  /// Call between groups: drops triangles that were not requested for a long time.
  void tidy();

 private:
  struct Entry {
    DeviceArray<Triangle> triangles;
    std::uint64_t used = 0;
  };
  std::unordered_map<std::uint32_t, Entry> entries_;
  std::uint64_t now_ = 0;
};

/// Uploads a group to the device: everything in one block of pinned memory, with one copy. Vertices are uploaded with
/// every group, triangles of a scene's objects only once.
class GroupUpload {
 public:
  /// Lays out the group and fills in its members of the frame. The last copy must be complete. The stream is used for
  /// new triangles.
  void prepare(const Group& group, const GroupQuery& query, SceneFrame& frame, cudaStream_t stream);
  /// Puts the copy on the stream; call it again for a repeat.
  void send(cudaStream_t stream);

  /// Fetches the counts of the kernels; they are valid after waiting for the stream.
  void fetch(cudaStream_t stream);
  [[nodiscard]] const SceneState& state() const;
  [[nodiscard]] std::uint32_t open_columns(std::size_t object) const;
  [[nodiscard]] std::uint32_t inside_out_columns(std::size_t object) const;
  [[nodiscard]] std::uint32_t skipped(std::size_t window) const;
  [[nodiscard]] std::size_t fetched_bytes() const { return facts_bytes_; }

 private:
  /// Where parts begin, in bytes. The counts of the kernels come first.
  struct Layout {
    std::size_t state = 0, open = 0, inside_out = 0, skipped = 0, jobs = 0, windows = 0, chunks = 0, rows = 0,
                partners = 0, owners = 0;
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
