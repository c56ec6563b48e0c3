#include "stream/part_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "core/positions.hpp"
#include "lamella/error.hpp"

namespace lamella::stream {
namespace {

constexpr std::size_t kVertexChunk = 16384;
/// Vertices that are read though no corner needs them, rather than by another call.
constexpr std::uint32_t kGap = 4096;
/// How often to tell of progress, in triangles.
constexpr std::uint64_t kStep = 1 << 20;

std::uint32_t& corner(Triangle& t, std::uint32_t k) { return k == 0 ? t.a : k == 1 ? t.b : t.c; }

template <class T>
void free_memory(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

}  // namespace

void PassCounter::begin(std::uint64_t triangles) {
  const std::scoped_lock lock(mutex_);
  ++now_.pass;
  now_.done = 0;
  now_.total = triangles;
  next_ = kStep;
  if (options_.progress) options_.progress(now_);
}

void PassCounter::advance(std::uint64_t triangles) {
  const std::scoped_lock lock(mutex_);
  now_.done += triangles;
  if (!options_.progress || now_.done < next_) return;
  next_ = now_.done + kStep;
  options_.progress(now_);
}

void PartReader::release() {
  for (auto& triangles : read_) free_memory(triangles);
  free_memory(codes_);
  free_memory(triangles_);
  free_memory(positions_);
  free_memory(corners_);
}

void PartReader::for_each(const PlacedSource& mesh, const software::RasterTarget* target, const Body& body) {
  const std::uint64_t triangles = mesh.source().triangle_count();
  passes_.begin(triangles);
  if (mesh.kept()) {
    encode(mesh.positions(), target);
    run_kept(mesh, body);
    return;
  }
  for (std::uint64_t first = 0; first < triangles; first += limits_.part_triangles)
    run_part(mesh, first, static_cast<std::size_t>(std::min<std::uint64_t>(limits_.part_triangles, triangles - first)),
             target, body);
}

void PartReader::encode(std::span<const Vec3> positions, const software::RasterTarget* target) {
  codes_.clear();
  if (target == nullptr) return;
  codes_.resize(positions.size());
  workers_.for_chunks(positions.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    (void)software::encode(positions.subspan(begin, end - begin), *target, codes_.data() + begin);
  });
}

void PartReader::read_checked(const PlacedSource& mesh, std::uint64_t first, std::span<Triangle> out) const {
  mesh.source().read_triangles(first, out);
  if (max_index(out) < mesh.vertex_count()) return;
  const std::string name = mesh.source().name();
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (out[i][k] >= mesh.vertex_count())
        throw Error(fmt::format("{}{}triangle {} names vertex {}, but the mesh has only {} vertices", name,
                                name.empty() ? "" : ": ", first + i, out[i][k], mesh.vertex_count()));
}

/// Workers read their own triangles, so that some read while others work.
void PartReader::run_kept(const PlacedSource& mesh, const Body& body) {
  LowestFailure failure;
  workers_.for_chunks(mesh.source().triangle_count(), limits_.chunk_triangles,
                      [&](std::size_t begin, std::size_t end, unsigned worker) {
                        failure.run(begin, [&] {
                          auto& triangles = read_[worker];
                          triangles.resize(end - begin);
                          read_checked(mesh, begin, triangles);
                          body({{mesh.positions(), triangles}, codes_, begin}, worker);
                          passes_.advance(end - begin);
                        });
                      });
  failure.rethrow();
}

void PartReader::run_part(const PlacedSource& mesh, std::uint64_t first, std::size_t count,
                          const software::RasterTarget* target, const Body& body) {
  triangles_.resize(count);
  std::atomic<std::uint32_t> low{~0u}, high{0};
  LowestFailure failure;
  workers_.for_chunks(count, limits_.chunk_triangles, [&](std::size_t begin, std::size_t end, unsigned) {
    failure.run(begin, [&] {
      const auto some = std::span(triangles_).subspan(begin, end - begin);
      read_checked(mesh, first + begin, some);
      std::uint32_t least = ~0u, largest = 0;
      for (const Triangle& t : some) {
        least = std::min({least, t.a, t.b, t.c});
        largest = std::max({largest, t.a, t.b, t.c});
      }
      for (std::uint32_t seen = low; least < seen && !low.compare_exchange_weak(seen, least);) {
      }
      for (std::uint32_t seen = high; largest > seen && !high.compare_exchange_weak(seen, largest);) {
      }
    });
  });
  failure.rethrow();
  if (std::uint64_t{high} - low < 3 * std::uint64_t{count})
    read_range(mesh, low, high);
  else
    read_single(mesh);
  encode(positions_, target);
  workers_.for_chunks(count, limits_.chunk_triangles, [&](std::size_t begin, std::size_t end, unsigned worker) {
    body({{positions_, std::span(triangles_).subspan(begin, end - begin)}, codes_, first + begin}, worker);
    passes_.advance(end - begin);
  });
}

/// All vertices from `low` to `high`.
void PartReader::read_range(const PlacedSource& mesh, std::uint32_t low, std::uint32_t high) {
  positions_.resize(std::size_t{high} - low + 1);
  workers_.for_chunks(positions_.size(), kVertexChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    mesh.read(low + begin, std::span(positions_).subspan(begin, end - begin));
  });
  workers_.for_each(triangles_.size(), [&](std::size_t i) {
    Triangle& t = triangles_[i];
    t = {t.a - low, t.b - low, t.c - low};
  });
}

/// Only those that corners name, in ascending order, with corners numbered anew.
void PartReader::read_single(const PlacedSource& mesh) {
  corners_.resize(3 * triangles_.size());
  workers_.for_each(triangles_.size(), [&](std::size_t i) {
    for (std::uint32_t k = 0; k < 3; ++k)
      corners_[3 * i + k] = std::uint64_t{triangles_[i][static_cast<int>(k)]} << 32 | (3 * i + k);
  });
  std::sort(corners_.begin(), corners_.end());
  positions_.clear();
  positions_.reserve(corners_.size());
  std::vector<Vec3> some;
  std::uint32_t first = 0;  // of `some`
  std::uint64_t previous = ~std::uint64_t{0};
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const auto vertex = static_cast<std::uint32_t>(corners_[i] >> 32), number = static_cast<std::uint32_t>(corners_[i]);
    if (vertex != previous) {
      if (some.empty() || vertex - first >= some.size()) {
        // On to the next gap, or as far as a chunk goes.
        std::uint32_t last = vertex;
        for (std::size_t k = i + 1; k < corners_.size(); ++k) {
          const auto next = static_cast<std::uint32_t>(corners_[k] >> 32);
          if (next - last > kGap || next - vertex >= kVertexChunk) break;
          last = next;
        }
        some.resize(last - vertex + 1);
        mesh.read(vertex, some);
        first = vertex;
      }
      positions_.push_back(some[vertex - first]);
      previous = vertex;
    }
    corner(triangles_[number / 3], number % 3) = static_cast<std::uint32_t>(positions_.size() - 1);
  }
}

}  // namespace lamella::stream
