// From meshes to tiles full of crossings: codes of vertices, cull, triangles sorted into tiles, then tile after tile.

#include "engines/software/tile_sampler.hpp"

#include <algorithm>
#include <numeric>

#include "core/mesh_check.hpp"
#include "core/stopwatch.hpp"
#include "engines/checks.hpp"
#include "engines/software/record_list.hpp"
#include "engines/software/tile_bins.hpp"

namespace lamella::software {
namespace {

constexpr std::size_t kVertexChunk = 8192;
constexpr std::size_t kTriangleChunk = 2048;
/// A triangle that may touch more tiles is not listed in each of them: a few such triangles in every tile of a large
/// image would take all memory.
constexpr std::uint32_t kMostTiles = 16;
/// Boxes of up to so many samples along both axes are sampled before they are sorted into tiles.
constexpr std::int32_t kBinnedExtent = 5;
/// Tiles in a row of tiles, or several rows, that are finished together: enough to keep all workers busy.
constexpr std::size_t kTilesAtOnce = 1024;

}  // namespace

Window TileBlock::cells(const Tiling& tiling) const {
  const auto end = [](std::uint32_t tile, unsigned shift, std::uint32_t cells) {
    return static_cast<std::uint32_t>(std::min(std::uint64_t{tile} << shift, std::uint64_t{cells}));
  };
  return {first_across << tiling.shift_u, first_row << tiling.shift_v, end(end_across, tiling.shift_u, tiling.columns),
          end(end_row, tiling.shift_v, tiling.rows)};
}

/// State of one worker; kept between calls.
struct TileSampler::Worker {
  Layers layers[kMostSides];
  TileBins bins[kMostSides];  ///< crossings of small triangles
  std::unique_ptr<Batch> batch = std::make_unique<Batch>();
  std::vector<std::uint32_t> ids = std::vector<std::uint32_t>(kTriangleChunk + kMaxLanes);
  std::vector<std::uint32_t> left = std::vector<std::uint32_t>(Batch::kPadded);
  std::vector<CellCode> low = std::vector<CellCode>(kTriangleChunk + kMaxLanes);
  std::vector<CellCode> high = std::vector<CellCode>(kTriangleChunk + kMaxLanes);

  // Triangles that it sorted into tiles.
  struct Binned {
    std::uint32_t tile, id;
  };
  struct Run {
    std::uint32_t job;
    std::size_t begin;
  };
  RecordList<Binned> binned;
  std::vector<Run> runs;               ///< of `binned`
  std::vector<std::uint32_t> of_tile;  ///< how many, then where the next goes
  std::vector<WideTriangle> wide;
  double taking_ms = 0;  ///< in TileConsumer::take
};

TileSampler::TileSampler(unsigned threads, std::uint64_t max_crossings, bool faces)
    : workers_(threads), max_crossings_(max_crossings), faces_(faces), scratch_(workers_.count()) {}

TileSampler::~TileSampler() = default;

std::span<const CellCode> TileSampler::codes_of(const Job& job) const {
  return std::span(codes_).subspan(job.first_code, job.mesh.positions.size());
}

/// Makes the jobs, and the chunks that workers take.
void TileSampler::plan(std::span<const SampledMesh> meshes, const Grid& grid, const Tiling& tiling) {
  tiling_ = tiling;
  jobs_.clear();
  vertex_chunks_.clear();
  triangle_chunks_.clear();
  sides_ = 1;
  std::size_t codes = 0;
  for (const SampledMesh& m : meshes) {
    const auto job = static_cast<std::uint32_t>(jobs_.size());
    check_triangle_count(m.mesh);
    jobs_.push_back({m.mesh, make_target(grid, m.window), m.first_face, m.side, codes});
    sides_ = std::max(sides_, m.side + 1);
    const std::size_t vertices = m.mesh.positions.size(), triangles = m.mesh.triangles.size();
    for (std::size_t i = 0; i < vertices; i += kVertexChunk)
      vertex_chunks_.push_back({job, i, std::min(vertices, i + kVertexChunk)});
    for (std::size_t i = 0; i < triangles; i += kTriangleChunk)
      triangle_chunks_.push_back({job, i, std::min(triangles, i + kTriangleChunk)});
    codes += vertices;
  }
  if (codes_.size() < codes) codes_.resize(codes);
}

void TileSampler::reset_workers() {
  for (Worker& w : scratch_) {
    w.binned.clear();
    w.runs.clear();
    w.of_tile.assign(tiling_.count(), 0);
    w.wide.clear();
    w.batch->samples = 0;
    w.taking_ms = 0;
    for (unsigned side = 0; side < sides_; ++side) w.bins[side].start(tiling_, faces_);
  }
  wide_.clear();
  finishing_ms_ = 0;
}

void TileSampler::encode_vertices(const Chunk& chunk) {
  Job& job = jobs_[chunk.job];
  const std::size_t unusable = encode(job.mesh.positions.subspan(chunk.begin, chunk.end - chunk.begin), job.target,
                                      codes_.data() + job.first_code + chunk.begin);
  if (unusable != 0) std::atomic_ref(job.unusable) += unusable;
}

/// The triangles of the chunk that may cover a sample.
std::span<std::uint32_t> TileSampler::cull_triangles(const Chunk& chunk, Worker& w) {
  Job& job = jobs_[chunk.job];
  const auto triangles = job.mesh.triangles.subspan(chunk.begin, chunk.end - chunk.begin);
  const std::size_t survivors = cull(triangles, codes_of(job), static_cast<std::uint32_t>(chunk.begin), w.ids.data());
  if (survivors == kBadIndex) fail_index(job.mesh);
  auto ids = std::span(w.ids).first(survivors);
  if (job.unusable != 0) {  // rare: count all such triangles, and take those that survived out again
    const auto broken = [&](const Triangle& t) { return !usable(job.mesh, t); };
    std::atomic_ref(job.skipped) +=
        static_cast<std::uint64_t>(std::count_if(triangles.begin(), triangles.end(), broken));
    const auto end =
        std::remove_if(ids.begin(), ids.end(), [&](std::uint32_t id) { return broken(job.mesh.triangles[id]); });
    ids = ids.first(static_cast<std::size_t>(end - ids.begin()));
  }
  return ids;
}

/// Whether corners of triangles next to each other may be far apart in memory, beyond the caches near the processor: so
/// it is with scanned meshes.
bool TileSampler::scattered(const Job& job) { return job.mesh.positions.size_bytes() > std::size_t{1} << 20; }

/// Samples small triangles, and sorts their crossings into tiles; then sorts the others themselves.
void TileSampler::bin_chunk(const Chunk& chunk, Worker& w) {
  const auto ids = cull_triangles(chunk, w);
  const Job& job = jobs_[chunk.job];
  const RasterRegion image{
      intersection(job.target.window, cells_), 0, 0, 1u << TileBins::kRowShift, faces_, kBinnedExtent};
  std::size_t left = 0;  // takes the place of those that were sampled
  for (std::size_t i = 0; i < ids.size(); i += Batch::kCapacity) {
    const auto some = ids.subspan(i, std::min(ids.size() - i, Batch::kCapacity));
    const std::size_t count = rasterize({some, job.mesh, job.first_face, scattered(job)}, job.target, image, *w.batch,
                                        w.bins[job.side], w.left.data());
    std::copy_n(w.left.begin(), count, ids.begin() + static_cast<std::ptrdiff_t>(left));
    left += count;
  }
  bin_triangles(chunk.job, ids.first(left), w);
}

/// Notes the tiles that each triangle's box touches.
void TileSampler::bin_triangles(std::uint32_t number, std::span<const std::uint32_t> ids, Worker& w) {
  if (ids.empty()) return;
  const Job& job = jobs_[number];
  collect_boxes(ids, job.mesh.triangles, codes_.data() + job.first_code, w.low.data(), w.high.data());
  if (w.runs.empty() || w.runs.back().job != number) w.runs.push_back({number, w.binned.size()});
  const bool swapped = job.target.grid.axis == Axis::y;  // codes are in the order of the world's axes
  Worker::Binned* const first = w.binned.room(ids.size() * kMostTiles);
  Worker::Binned* next = first;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const CellCode low = w.low[i], high = w.high[i];
    const std::uint32_t low_u = swapped ? low.second : low.first, low_v = swapped ? low.first : low.second;
    const std::uint32_t high_u = swapped ? high.second : high.first, high_v = swapped ? high.first : high.second;
    const std::uint32_t first_u = std::max(low_u >> tiling_.shift_u, block_.first_across);
    const std::uint32_t first_v = std::max(low_v >> tiling_.shift_v, block_.first_row);
    const std::uint32_t last_u = std::min((high_u - 1) >> tiling_.shift_u, block_.end_across - 1);
    const std::uint32_t last_v = std::min((high_v - 1) >> tiling_.shift_v, block_.end_row - 1);
    if (first_u > last_u || first_v > last_v) continue;
    const std::uint32_t tiles = (last_u - first_u + 1) * (last_v - first_v + 1);
    if (tiles > kMostTiles) {
      const auto narrow = [](std::uint32_t x) { return static_cast<std::uint16_t>(x); };
      w.wide.push_back({number, ids[i], narrow(first_u), narrow(last_u + 1), narrow(first_v), narrow(last_v + 1)});
      continue;
    }
    for (std::uint32_t v = first_v; v <= last_v; ++v)
      for (std::uint32_t u = first_u; u <= last_u; ++u) {
        const std::uint32_t tile = v * tiling_.across + u;
        ++w.of_tile[tile];
        *next++ = {tile, ids[i]};
      }
  }
  w.binned.added(static_cast<std::size_t>(next - first));
}

/// A counting sort of what all workers noted.
void TileSampler::sort_bins() {
  const std::size_t tiles = tiling_.count();
  bin_begin_.resize(tiles + 1);
  std::size_t total = 0;
  for (Worker& w : scratch_) {
    wide_.insert(wide_.end(), w.wide.begin(), w.wide.end());
    total += w.binned.size();
  }
  if (total > 0xffffffffu) throw too_many_crossings(0xffffffffu, "triangles in tiles");
  if (entries_.size() < total) entries_.resize(total + total / 8);
  std::uint32_t next = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    bin_begin_[tile] = next;
    for (Worker& w : scratch_) {
      const std::uint32_t count = w.of_tile[tile];
      w.of_tile[tile] = next;
      next += count;
    }
  }
  bin_begin_[tiles] = next;
  workers_.for_chunks(
      scratch_.size(), 1,
      [&](std::size_t i, std::size_t, unsigned) {
        Worker& w = scratch_[i];
        for (std::size_t r = 0; r < w.runs.size(); ++r) {
          const std::size_t end = r + 1 < w.runs.size() ? w.runs[r + 1].begin : w.binned.size();
          for (std::size_t k = w.runs[r].begin; k < end; ++k)
            entries_[w.of_tile[w.binned.data()[k].tile]++] = {w.runs[r].job, w.binned.data()[k].id};
        }
      },
      1);
}

bool TileSampler::may_touch(std::size_t tile) const {
  if (bin_begin_[tile] != bin_begin_[tile + 1] || !wide_.empty()) return true;
  for (const Worker& w : scratch_)
    for (unsigned side = 0; side < sides_; ++side)
      if (w.bins[side].any(tile)) return true;
  return false;
}

void TileSampler::start_tile(std::size_t tile, Worker& w) {
  for (unsigned side = 0; side < sides_; ++side) w.layers[side].start(tiling_, tile, faces_, max_crossings_);
}

/// The least codes of a triangle's corners, along u and v.
std::pair<std::uint32_t, std::uint32_t> TileSampler::first_cell(const Job& job, const Triangle& t) const {
  const auto codes = codes_of(job);
  CellCode low = codes[t.a];
  for (const CellCode c : {codes[t.b], codes[t.c]})
    low = {std::min(low.first, c.first), std::min(low.second, c.second)};
  if (job.target.grid.axis == Axis::y) std::swap(low.first, low.second);
  return {low.first, low.second};
}

/// Triangles that rasterize() left: large ones, and those at the window's border.
void TileSampler::rasterize_left(Job& job, std::span<const std::uint32_t> ids, Layers& out) {
  for (const std::uint32_t id : ids) {
    const Triangle t = job.mesh.triangles[id];
    LatticeVertex corners[3];
    bool placed = true;
    for (int k = 0; k < 3; ++k)
      placed = placed && place(job.mesh.positions[t[k]], job.target.grid, job.target.lattice, corners[k]);
    if (placed) {
      rasterize_large(corners, id + job.first_face, job.target, out);
      continue;
    }
    // Counted once, in the tile where its box begins.
    const auto [u, v] = first_cell(job, t);
    const Window& w = out.tile();
    if (w.first_u <= u && u < w.end_u && w.first_v <= v && v < w.end_v) ++std::atomic_ref(job.skipped);
  }
}

void TileSampler::rasterize_ids(std::uint32_t number, std::span<const std::uint32_t> ids, Worker& w) {
  Job& job = jobs_[number];
  Layers& out = w.layers[job.side];
  while (!ids.empty()) {
    const auto some = ids.first(std::min(ids.size(), Batch::kCapacity));
    ids = ids.subspan(some.size());
    const std::size_t left =
        rasterize({some, job.mesh, job.first_face, tiling_.count() > 1 || scattered(job)}, job.target,
                  {out.tile(), out.tile().first_u, out.tile().first_v, out.stride(), faces_, kMaxBatchExtent}, *w.batch,
                  out, w.left.data());
    rasterize_left(job, std::span(w.left).first(left), out);
  }
}

void TileSampler::rasterize_tile(std::size_t tile, Worker& w) {
  start_tile(tile, w);
  for (const Worker& from : scratch_)
    for (unsigned side = 0; side < sides_; ++side) from.bins[side].empty_into(tile, w.layers[side]);
  std::size_t waiting = 0;
  std::uint32_t job = 0;
  const auto rasterize_waiting = [&] {
    rasterize_ids(job, std::span(w.ids).first(waiting), w);
    waiting = 0;
  };
  const auto add = [&](std::uint32_t of_job, std::uint32_t id) {
    if (of_job != job || waiting == Batch::kCapacity) rasterize_waiting();
    job = of_job;
    w.ids[waiting++] = id;
  };
  for (std::size_t i = bin_begin_[tile]; i < bin_begin_[tile + 1]; ++i) add(entries_[i].job, entries_[i].id);
  const std::size_t u = tile % tiling_.across, v = tile / tiling_.across;
  for (const WideTriangle& t : wide_)
    if (t.first_u <= u && u < t.end_u && t.first_v <= v && v < t.end_v) add(t.job, t.id);
  rasterize_waiting();
}

void TileSampler::finish_tile(std::size_t tile, Worker& w, unsigned number, TileConsumer& consumer) {
  const auto sides = std::span(w.layers).first(sides_);
  for (const Layers& l : sides)
    if (l.crossing_count() > max_crossings_) throw too_many_crossings(max_crossings_);
  Stopwatch watch;
  consumer.take(tile, sides, number);
  double ms = 0;
  watch.lap(ms);
  w.taking_ms += ms;
}

void TileSampler::finish_rows(std::uint32_t first, std::uint32_t end, TileConsumer& consumer) {
  Stopwatch watch;
  consumer.finish_rows(first, end);
  double ms = 0;
  watch.lap(ms);
  finishing_ms_ += ms;
}

double TileSampler::consumer_ms() const {
  double sum = 0;
  for (const Worker& w : scratch_) sum += w.taking_ms;
  return sum / static_cast<double>(scratch_.size()) + finishing_ms_;
}

/// Codes of vertices, then triangles or their crossings in the tiles that they touch.
void TileSampler::sort_into_tiles() {
  workers_.for_chunks(triangle_chunks_.size(), 1, [&](std::size_t i, std::size_t, unsigned worker) {
    bin_chunk(triangle_chunks_[i], scratch_[worker]);
  });
  sort_bins();
}

/// The block's tiles in these rows of tiles.
void TileSampler::run_rows(std::uint32_t first_row, std::uint32_t end_row, TileConsumer& consumer) {
  const std::size_t across = block_.end_across - block_.first_across;
  workers_.for_chunks((end_row - first_row) * across, 1, [&](std::size_t i, std::size_t, unsigned worker) {
    const std::size_t tile = (first_row + i / across) * tiling_.across + block_.first_across + i % across;
    if (!may_touch(tile)) return;
    rasterize_tile(tile, scratch_[worker]);
    finish_tile(tile, scratch_[worker], worker, consumer);
  });
}

void TileSampler::sample(std::span<const SampledMesh> meshes, const Grid& grid, TileConsumer& consumer) {
  plan(meshes, grid, choose_tiling(grid, workers_.count()));
  block_ = {0, tiling_.down, 0, tiling_.across};
  cells_ = whole(grid);
  reset_workers();
  consumer.start(tiling_);
  workers_.enter([&] {
    workers_.for_chunks(vertex_chunks_.size(), 1,
                        [&](std::size_t i, std::size_t, unsigned) { encode_vertices(vertex_chunks_[i]); });
    if (tiling_.count() == 1 && workers_.count() == 1) {  // one tile, filled while triangles are in the caches
      Worker& w = scratch_[0];
      consumer.begin_rows(0, 1);
      start_tile(0, w);
      for (const Chunk& chunk : triangle_chunks_) rasterize_ids(chunk.job, cull_triangles(chunk, w), w);
      finish_tile(0, w, 0, consumer);
      finish_rows(0, 1, consumer);
      return;
    }
    sort_into_tiles();
    const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(1, kTilesAtOnce / tiling_.across));
    for (std::uint32_t row = 0; row < tiling_.down; row += rows) {
      const std::uint32_t end = std::min(row + rows, tiling_.down);
      consumer.begin_rows(row, end);
      run_rows(row, end, consumer);
      finish_rows(row, end, consumer);
    }
  });
}

void TileSampler::sample_block(std::span<const SampledMesh> meshes, const Grid& grid, const Tiling& tiling,
                               const TileBlock& block, TileConsumer& consumer) {
  plan(meshes, grid, tiling);
  block_ = block;
  cells_ = block.cells(tiling);
  reset_workers();
  workers_.enter([&] {
    workers_.for_chunks(vertex_chunks_.size(), 1,
                        [&](std::size_t i, std::size_t, unsigned) { encode_vertices(vertex_chunks_[i]); });
    sort_into_tiles();
    // Few rows at a time: their spans are kept until the rows are finished.
    const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(1, 2 * workers_.count() / tiling.across));
    for (std::uint32_t row = block.first_row; row < block.end_row; row += rows) {
      const std::uint32_t end = std::min(row + rows, block.end_row);
      if (block.first_across == 0) consumer.begin_rows(row, end);
      run_rows(row, end, consumer);
      if (block.end_across == tiling.across) finish_rows(row, end, consumer);
    }
  });
}

}  // namespace lamella::software
