#pragma once

// What a snippet of the documentation may use without saying so. Snippets may declare these names anew.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <lamella/lamella.hpp>
#include <span>
#include <string>
#include <vector>

/// A unit cube with its low corner at `low`.
inline lamella::Mesh cube_at(lamella::Vec3 low) {
  lamella::Mesh cube;
  for (unsigned corner = 0; corner < 8; ++corner) {
    cube.positions.push_back(low + lamella::Vec3{static_cast<float>(corner & 1u), static_cast<float>(corner >> 1 & 1u),
                                                 static_cast<float>(corner >> 2)});
  }
  cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return cube;
}

inline lamella::Mesh a = cube_at({0, 0, 0});
inline lamella::Mesh b = cube_at({0.5f, 0.5f, 0.5f});
inline lamella::Mesh mesh = a;
inline std::vector<lamella::Vec3> points = {{0.5f, 0.5f, 0.5f}, {2, 2, 2}};

/// Stands for whatever the reader does with an answer.
template <class... T>
void use(T&&...) {}
