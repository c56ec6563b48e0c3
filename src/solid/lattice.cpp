#include "solid/lattice.hpp"

#include <cmath>

namespace lamella::solid {
namespace {

/// Toggles the first point of each span, and the one after its last.
void mark(const SpanView& view, std::size_t column, double per_step, std::array<std::uint32_t, 3> point,
          PointBits& bits) {
  const int axis = view.grid.w();
  for (const FacedSpan& span : view.column(column)) {
    const PointRange range = points_in(span, per_step);
    if (range.empty()) continue;
    for (const std::int64_t end : {range.begin, range.end}) {
      if (end >= bits.points(axis)) continue;
      point[axis] = static_cast<std::uint32_t>(end);
      bits.toggle(point[0], point[1], point[2]);
    }
  }
}

/// Each bit becomes the parity of itself and those before it, so that toggled ends become filled spans.
void fill_word(std::uint64_t& word, std::uint64_t& carry) {
  for (int shift = 1; shift < 64; shift *= 2) word ^= word << shift;
  word ^= carry;
  carry = (word >> 63) != 0 ? ~std::uint64_t{0} : 0;
}

void fill_x(const SpanView& view, double per_step, PointBits& bits, Workers& workers) {
  const std::uint32_t n = view.grid.columns;
  workers.for_chunks(n, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto y = static_cast<std::uint32_t>(begin); y < end; ++y) {
      for (std::uint32_t z = 0; z < n; ++z) mark(view, column_at(0, n, {0, y, z}), per_step, {0, y, z}, bits);
      for (std::uint32_t x = 1; x < n; ++x)
        for (std::uint32_t w = 0; w < bits.words(); ++w) bits.column(x, y)[w] ^= bits.column(x - 1, y)[w];
    }
  });
}

void fill_y(const SpanView& view, double per_step, PointBits& bits, Workers& workers) {
  const std::uint32_t n = view.grid.columns;
  workers.for_chunks(n, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto x = static_cast<std::uint32_t>(begin); x < end; ++x) {
      for (std::uint32_t z = 0; z < n; ++z) mark(view, column_at(1, n, {x, 0, z}), per_step, {x, 0, z}, bits);
      for (std::uint32_t y = 1; y < n; ++y)
        for (std::uint32_t w = 0; w < bits.words(); ++w) bits.column(x, y)[w] ^= bits.column(x, y - 1)[w];
    }
  });
}

void fill_z(const SpanView& view, double per_step, PointBits& bits, Workers& workers) {
  const std::uint32_t n = view.grid.columns;
  workers.for_chunks(n, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto x = static_cast<std::uint32_t>(begin); x < end; ++x)
      for (std::uint32_t y = 0; y < n; ++y) {
        mark(view, column_at(2, n, {x, y, 0}), per_step, {x, y, 0}, bits);
        std::uint64_t carry = 0;
        for (std::uint32_t w = 0; w < bits.words(); ++w) fill_word(bits.column(x, y)[w], carry);
        bits.column(x, y)[n / 64] &= (std::uint64_t{1} << (n % 64)) - 1;  // a span that reaches the end
      }
  });
}

}  // namespace

PointRange points_in(const FacedSpan& span, double per_step) {
  return {static_cast<std::int64_t>(std::floor(static_cast<double>(span.begin) * per_step + 0.5)),
          static_cast<std::int64_t>(std::ceil(static_cast<double>(span.end) * per_step - 0.5))};
}

Losses losses_of(const SpanView& view, double step) {
  const double per_step = 1 / step;
  double missed = 0, filled = 0;
  for (std::size_t c = 0; c < view.grid.column_count(); ++c) {
    const FacedSpan* last = nullptr;  // that the lattice has
    std::int64_t last_end = -1;
    for (const FacedSpan& span : view.column(c)) {
      const PointRange range = points_in(span, per_step);
      if (range.empty()) {
        missed += static_cast<double>(span.end) - static_cast<double>(span.begin);
        continue;
      }
      if (last != nullptr && range.begin <= last_end)
        filled += static_cast<double>(span.begin) - static_cast<double>(last->end);
      last = &span;
      last_end = range.end;
    }
  }
  return {missed * view.grid.cell_area(), filled * view.grid.cell_area()};
}

PointBits points_inside(const std::array<SpanView, 3>& views, const PointLattice& lattice, Workers& workers) {
  const std::uint32_t n = lattice.count;
  const Vec3d step = lattice.step();
  PointBits by_x({n, n, n}), by_y({n, n, n}), by_z({n, n, n});
  fill_x(views[0], 1 / step.x, by_x, workers);
  fill_y(views[1], 1 / step.y, by_y, workers);
  fill_z(views[2], 1 / step.z, by_z, workers);
  workers.for_chunks(n, 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto x = static_cast<std::uint32_t>(begin); x < end; ++x)
      for (std::uint32_t y = 0; y < n; ++y) {
        std::uint64_t* out = by_z.column(x, y);
        const std::uint64_t *other = by_x.column(x, y), *third = by_y.column(x, y);
        for (std::uint32_t w = 0; w < by_z.words(); ++w)
          out[w] = (out[w] & other[w]) | (other[w] & third[w]) | (third[w] & out[w]);
      }
  });
  return by_z;
}

std::array<std::array<bool, 2>, 3> clear_border(PointBits& bits) {
  std::array<std::array<bool, 2>, 3> touched{};
  const auto clear = [&](int axis, int side, std::uint64_t& word, std::uint64_t mask) {
    touched[axis][side] = touched[axis][side] || (word & mask) != 0;
    word &= ~mask;
  };
  const std::uint32_t nx = bits.points(0), ny = bits.points(1), last_z = bits.points(2) - 1;
  for (std::uint32_t x = 0; x < nx; ++x)
    for (std::uint32_t y = 0; y < ny; ++y) {
      std::uint64_t* column = bits.column(x, y);
      for (std::uint32_t w = 0; w < bits.words(); ++w) {
        if (x == 0 || x == nx - 1) clear(0, x == 0 ? 0 : 1, column[w], ~std::uint64_t{0});
        if (y == 0 || y == ny - 1) clear(1, y == 0 ? 0 : 1, column[w], ~std::uint64_t{0});
      }
      clear(2, 0, column[0], 1);
      clear(2, 1, column[last_z / 64], std::uint64_t{1} << (last_z % 64));
    }
  return touched;
}

}  // namespace lamella::solid
