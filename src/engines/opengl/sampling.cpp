#include "engines/opengl/sampling.hpp"

#include "core/lattice.hpp"

namespace lamella::opengl {

Sampling make_sampling(const Grid& grid) {
  const int axes[3] = {grid.u(), grid.v(), grid.w()};
  Sampling s;
  for (int k = 0; k < 3; ++k) {
    s.axes[k] = axes[k];
    s.origin[k] = grid.box.min[axes[k]];
  }
  s.scale[0] = static_cast<float>(2 / (grid.cell_u() * grid.columns));
  s.scale[1] = static_cast<float>(2 / (grid.cell_v() * grid.rows));
  const Lattice lattice = make_lattice(grid);
  s.lattice_scale[0] = lattice.scale_u;
  s.lattice_scale[1] = lattice.scale_v;
  s.box_depth = grid.depth();
  s.columns = grid.columns;
  s.rows = grid.rows;
  return s;
}

SamplingBlock::SamplingBlock(const Gl& gl) : gl_(&gl), buffer_(gl) { buffer_.reserve(sizeof(Sampling)); }

void SamplingBlock::set(const Sampling& sampling) {
  gl_->NamedBufferSubData(buffer_.id(), 0, sizeof sampling, &sampling);
  gl_->BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer_.id());
}

void begin_drawing(const Gl& gl, const Grid& grid, GLuint framebuffer) {
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.Viewport(0, 0, static_cast<GLsizei>(grid.columns), static_cast<GLsizei>(grid.rows));
  gl.Disable(GL_CULL_FACE);
  gl.Disable(GL_DEPTH_TEST);
  gl.Disable(GL_STENCIL_TEST);
  // (u, v, w) is right-handed and the rays run along w: a clockwise triangle faces against the rays.
  gl.FrontFace(GL_CW);
}

}  // namespace lamella::opengl
