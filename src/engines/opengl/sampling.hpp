#pragma once

#include <cstdint>

#include "engines/opengl/session.hpp"
#include "lamella/grid.hpp"

namespace lamella::opengl {

/// The uniform block of shaders/sampling.glsl, member by member.
struct alignas(16) Sampling {
  float origin[3] = {};
  float box_depth = 0;
  float scale[2] = {};
  float lattice_scale[2] = {};
  std::int32_t axes[3] = {};
  std::uint32_t columns = 0, rows = 0;
  std::uint32_t cut = 0;
  float low = 0, z_scale = 0;
  std::uint32_t first_head = 0;
  std::uint32_t capacity = 0;
};
static_assert(sizeof(Sampling) == 80);

[[nodiscard]] Sampling make_sampling(const Grid& grid);

/// Binds the block for the programs that follow.
class SamplingBlock {
 public:
  explicit SamplingBlock(const Gl& gl);
  void set(const Sampling& sampling);

 private:
  const Gl* gl_;
  Buffer buffer_;
};

/// State that every drawing starts from: pixels are cells, and a face through which the ray enters is a front face.
void begin_drawing(const Gl& gl, const Grid& grid, GLuint framebuffer);

}  // namespace lamella::opengl
