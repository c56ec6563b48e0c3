#pragma once

#include <algorithm>

namespace lamella::simulate {

/// In place, of a symmetric matrix with pivots that are not below a part of its largest diagonal: Gauss and Jordan.
template <class Matrix>
void invert(Matrix& m, int n) {
  double largest = 1e-200;
  for (int i = 0; i < n; ++i) largest = std::max(largest, m[i][i]);
  // A flat rest shape says nothing about its thickness: it is given a little.
  for (int i = 0; i < n; ++i) m[i][i] += 1e-9 * largest;
  for (int k = 0; k < n; ++k) {
    const double pivot = 1 / m[k][k];
    m[k][k] = 1;
    for (int j = 0; j < n; ++j) m[k][j] *= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = m[i][k];
      m[i][k] = 0;
      for (int j = 0; j < n; ++j) m[i][j] -= factor * m[k][j];
    }
  }
}

}  // namespace lamella::simulate
