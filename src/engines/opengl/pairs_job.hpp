#pragma once

#include <cstdint>

#include "engines/opengl/pairs_mesh.hpp"
#include "engines/opengl/sampling.hpp"

namespace lamella::opengl {

// Records that the device writes, as in shaders/pairs*. Depths beyond the box are not yet moved onto its faces.

inline constexpr std::uint32_t kNobody = ~0u;
inline constexpr std::uint32_t kDropped = 0x80000000u;

struct PairRecord {
  std::uint32_t next = 0;
  std::uint32_t column = 0;  ///< with kDropped where the published method has no room for it
  std::uint32_t front_object = 0,
                front_face = 0;  ///< kNobody: the back's object is inside out there
  float front_depth = 0;
  std::uint32_t back_object = 0, back_face = 0;
  float back_depth = 0;
};
static_assert(sizeof(PairRecord) == 32);

struct PointRecord {
  std::uint32_t column = 0;
  std::uint32_t code = 0;  ///< bit 0: the surface of a is a front, bit 1: that of b is; above them the candidate
  std::uint32_t face_a = 0, face_b = 0;
  float depth_a = 0, depth_b = 0;
};
static_assert(sizeof(PointRecord) == 24);

struct OpenRecord {
  std::uint32_t column = 0;
  std::uint32_t object_and_facing = 0;
};
static_assert(sizeof(OpenRecord) == 8);

/// Limits of what the device keeps. Values other than the defaults are for tests.
struct PairLimits {
  std::uint32_t layers = 16;        ///< of front faces that a back is compared with; at least 4
  std::uint32_t records = 1 << 14;  ///< for which there is room at first
  bool doubles = false;             ///< leave doubles of collision points in
};

/// Input of a group's drawing.
struct PairJob {
  Session& session;
  const Group& group;
  const GroupQuery& query;
  GroupMesh& mesh;
  bool spans = true;  ///< read the pairs, not only their sums
};

/// How many records of `size` bytes to make room for: a quarter more than needed, so that a slowly growing scene does
/// not repeat every frame, within what is allowed. Throws Error when `count` itself is not.
[[nodiscard]] std::uint64_t room_for(const PairJob& job, std::uint64_t max_records, std::uint64_t count,
                                     std::size_t size);

/// Sets words of a buffer to 0.
void clear_words(const Gl& gl, const Buffer& buffer, std::size_t first, std::size_t count);

}  // namespace lamella::opengl
