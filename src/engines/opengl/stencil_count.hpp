#pragma once

// What gl-unordered and gl-tr395 share: the stencil counts the fragments of a pixel in the order in which they are
// drawn, so that pass n can keep the n-th.

#include <fmt/format.h>

#include <cstdint>

#include "engines/opengl/objects.hpp"

namespace lamella::opengl {

/// The maximum of an eight-bit stencil.
inline constexpr std::uint32_t kMostCounted = 255;

/// State for passes with a stencil test and no depth test.
inline void begin_counting(const Gl& gl) {
  gl.Enable(GL_DEPTH_TEST);  // without it no depth is written
  gl.DepthFunc(GL_ALWAYS);
  gl.Enable(GL_STENCIL_TEST);
  gl.StencilMask(0xff);
}

/// Before a drawing into a cleared stencil: only fragment 256 of a pixel will pass. A stencil that reached its maximum
/// leaves open whether there is one.
inline void pass_beyond_count(const Gl& gl) {
  gl.StencilFunc(GL_EQUAL, kMostCounted, 0xff);
  gl.StencilOp(GL_INCR, GL_INCR, GL_INCR);
}

/// The message when there is. `of` says which crossings are counted together.
inline std::string beyond_count_message(const char* of) {
  return fmt::format(
      "a column has more than {} crossings{}, and the stencil counts no further; use the engine \"gl-lists\" or "
      "\"software\"",
      kMostCounted, of);
}

/// The message when images of all layers would take more than kMostLayerBytes.
inline std::string too_many_layers_message(std::size_t layers, std::uint32_t columns, std::uint32_t rows) {
  return fmt::format(
      "{} layers of {} x {} columns are too many for this method; use the engine \"gl-lists\" or \"software\"", layers,
      columns, rows);
}

}  // namespace lamella::opengl
