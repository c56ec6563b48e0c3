#pragma once

// A frame of a query without the kernels that come before it: columns of the software engine are put on the device by
// hand, in no particular order within a column, and the state as inspect would leave it.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/cuda/frame.hpp"
#include "lamella/engine.hpp"
#include "lamella/ldi.hpp"
#include "support/closed_meshes.hpp"
#include "support/cuda.hpp"

namespace lamella::test {

inline Ldi software_ldi(const Mesh& mesh, const Grid& grid) {
  static const std::unique_ptr<Engine> engine = make_engine({.engine = "software", .threads = 1});
  Ldi ldi;
  engine->build(mesh, grid, ldi);
  return ldi;
}

inline std::uint32_t most_layers(const Ldi& ldi) { return validate(ldi).max_layers; }

/// One mesh's columns in slots, or counted when `slots` is 0.
class StoreOnDevice {
 public:
  StoreOnDevice(const Ldi& ldi, std::uint32_t slots, Random& random)
      : columns_(ldi.grid.column_count()),
        counts_(columns_ + 1),
        cursors_(columns_),
        keys_(slots != 0 ? columns_ * slots : ldi.crossings.size() + 1) {
    store.slots = slots;
    store.stride = static_cast<std::uint32_t>(columns_);
    std::vector<std::uint32_t> counts(columns_ + 1, 0), keys(keys_.size(), 0xdeadbeefu);
    for (std::size_t c = 0; c < columns_; ++c) {
      const auto column = ldi.column(c);
      std::vector<std::uint32_t> shuffled;
      for (const Crossing crossing : column) shuffled.push_back(crossing.key);
      for (std::size_t i = shuffled.size(); i > 1; --i)
        std::swap(shuffled[i - 1], shuffled[random.below(static_cast<std::uint32_t>(i))]);
      counts[c] = static_cast<std::uint32_t>(column.size());
      if (slots != 0 && shuffled.size() > slots) shuffled.resize(slots);
      for (std::uint32_t i = 0; i < shuffled.size(); ++i)
        keys[slots != 0 ? cuda::slot_place(store, static_cast<std::uint32_t>(c), i) : ldi.offsets[c] + i] = shuffled[i];
    }
    counts_.write(counts);
    keys_.write(keys);
    store.counts = counts_.get();
    store.cursors = cursors_.get();
    store.keys = keys_.get();
    store.capacity = slots != 0 ? 0 : static_cast<std::uint32_t>(ldi.crossings.size());
  }
  [[nodiscard]] std::vector<std::uint32_t> counts() const { return counts_.read(); }
  [[nodiscard]] std::vector<std::uint32_t> keys() const { return keys_.read(); }

  cuda::ColumnStore store;

 private:
  std::size_t columns_;
  OnDevice<std::uint32_t> counts_, cursors_, keys_;
};

/// Everything a query's kernels take. Ldis must have one grid.
class QueryFrame {
 public:
  QueryFrame(cuda::Kind kind, const std::vector<const Ldi*>& ldis, std::uint32_t slots, float min_thickness,
             std::size_t span_capacity = 1 << 16, std::uint32_t seed = 1)
      : spans_{OnDevice<Span>(span_capacity), OnDevice<Span>(span_capacity)} {
    Random random(seed);
    const Grid& grid = ldis[0]->grid;
    frame.kind = kind;
    frame.mesh_count = static_cast<std::uint32_t>(ldis.size());
    frame.min_thickness = min_thickness;
    frame.column_count = static_cast<std::uint32_t>(grid.column_count());
    start_.grid = grid;
    start_.target = cuda::make_target(grid, whole(grid));
    start_.thickness = min_thickness * grid.depth();
    start_.step_scale = length_scale(grid);
    for (std::size_t m = 0; m < ldis.size(); ++m) {
      start_.skipped[m] = ldis[m]->skipped_triangles;
      stores_.push_back(std::make_unique<StoreOnDevice>(*ldis[m], slots, random));
      frame.columns[m] = stores_[m]->store;
    }
    if (slots == 0) scratch_ = std::make_unique<OnDevice<std::uint8_t>>(scratch_bytes());
    frame.scratch = scratch_ ? scratch_->get() : nullptr;
    frame.state = state_.get();
    frame.sums = sums_.get();
    if (kind == cuda::Kind::intersect || kind == cuda::Kind::self_intersect) {
      frame.lines = {nullptr, grid.columns, grid.rows};
      lines_ = std::make_unique<OnDevice<cuda::LineSum>>(std::vector<cuda::LineSum>(frame.lines.count(), 0));
      frame.lines.sums = lines_->get();
    }
    frame.report = report_.get();
    for (int k = 0; k < (kind == cuda::Kind::self_intersect ? 2 : 1); ++k) {
      frame.spans[k] = spans_[k].get();
      frame.span_begins[k] = begins_[k].get();
      frame.span_capacity[k] = static_cast<std::uint32_t>(span_capacity);
    }
    if (kind == cuda::Kind::contains) frame.spans[0] = nullptr;
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&frame.host_report), sizeof(cuda::FrameReport)), cudaSuccess);
  }
  ~QueryFrame() { (void)cudaFreeHost(frame.host_report); }
  QueryFrame(const QueryFrame&) = delete;
  QueryFrame& operator=(const QueryFrame&) = delete;

  void ask(std::span<const Vec3> points) {
    points_ = std::make_unique<OnDevice<Vec3>>(points);
    flags_ = std::make_unique<OnDevice<std::uint8_t>>(std::vector<std::uint8_t>(points.size(), 7));
    frame.points = {points_->get(), static_cast<std::uint32_t>(points.size())};
    frame.flags = flags_->get();
  }
  void no_grid() { start_.grid = {}; }
  /// What the kernels before the query leave.
  [[nodiscard]] cuda::FrameState& start() { return start_; }
  /// Counted columns are filed first.
  const cuda::FrameReport& run() {
    state_.write(std::span(&start_, 1));
    if (frame.columns[0].slots == 0 && !filed_) {
      cuda::launch_offsets(frame, nullptr);
      cuda::launch_sort(frame, nullptr);
      filed_ = true;
    }
    cuda::launch_query(frame, nullptr);
    if (frame.spans[0] != nullptr) cuda::launch_spans(frame, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return *frame.host_report;
  }
  [[nodiscard]] std::vector<Span> spans(int kind = 0) const {
    std::vector<Span> all = spans_[kind].read();
    const cuda::Answer& a = frame.host_report->answer;
    all.resize(std::min<std::size_t>(all.size(), kind == 0 ? a.span_count : a.inside_out_count));
    return all;
  }
  [[nodiscard]] std::vector<std::uint8_t> flags() const { return flags_->read(); }
  [[nodiscard]] const StoreOnDevice& store(std::size_t m) const { return *stores_[m]; }
  [[nodiscard]] bool state_is_zero() const {
    std::vector<std::uint8_t> bytes(sizeof(cuda::FrameState));
    EXPECT_EQ(cudaMemcpy(bytes.data(), frame.state, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    const auto is_zero = [](auto x) { return x == 0; };
    const auto lines = lines_ ? lines_->read() : std::vector<cuda::LineSum>{};
    return std::all_of(bytes.begin(), bytes.end(), is_zero) && std::all_of(lines.begin(), lines.end(), is_zero);
  }

  cuda::Frame frame;

 private:
  [[nodiscard]] std::size_t scratch_bytes() const {
    return cuda::counted_scratch_bytes(frame.column_count) * frame.mesh_count;
  }

  cuda::FrameState start_;
  std::vector<std::unique_ptr<StoreOnDevice>> stores_;
  OnDevice<cuda::FrameState> state_{1};
  OnDevice<cuda::FrameReport> report_{1};
  OnDevice<std::uint64_t> sums_{cuda::kAllSumWords};
  OnDevice<std::uint32_t> begins_[2] = {OnDevice<std::uint32_t>(cuda::kQueryBlocks),
                                        OnDevice<std::uint32_t>(cuda::kQueryBlocks)};
  OnDevice<Span> spans_[2];
  std::unique_ptr<OnDevice<cuda::LineSum>> lines_;
  std::unique_ptr<OnDevice<std::uint8_t>> scratch_, flags_;
  std::unique_ptr<OnDevice<Vec3>> points_;
  bool filed_ = false;
};

}  // namespace lamella::test
