#pragma once

// The same structures as in shaders/lists.glsl, member by member.

#include <cstdint>

#include "engines/opengl/sampling.hpp"

namespace lamella::opengl {

struct Sums {
  double length = 0, moment_u = 0, moment_v = 0, moment_w = 0;
  double inside_out_length = 0;
  std::uint32_t spans = 0, inside_out_spans = 0;
  std::uint32_t low_u = 0, low_v = 0, high_u = 0, high_v = 0;
  float low = 0, high = 0;
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;
  std::uint32_t padding = 0;
};
static_assert(sizeof(Sums) == 88);

struct Answer {
  Sums total;
  std::uint32_t node_count = 0;
  std::uint32_t first_node = 0;
  std::uint32_t inside = 0, untrusted = 0;
};
static_assert(sizeof(Answer) == 104);

struct alignas(16) Asked {
  float thickness = 0;
  std::uint32_t column_count = 0;
  std::uint32_t second = 0;
  std::uint32_t span_capacity = 0;
  std::uint32_t inside_out_capacity = 0;
  std::uint32_t group_count = 0;
  std::uint32_t point_count = 0;
  float cells_per_u = 0, cells_per_v = 0;
};

struct Node {
  std::uint32_t next = 0, key = 0;
};

}  // namespace lamella::opengl
