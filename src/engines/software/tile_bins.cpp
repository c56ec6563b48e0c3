#include "engines/software/tile_bins.hpp"

namespace lamella::software {

void TileBins::start(const Tiling& tiling, bool faces) {
  tiling_ = tiling;
  faces_ = faces;
  if (faces && !room_for_faces_) {
    blocks_.clear();
    room_for_faces_ = true;
  }
  bins_.assign(tiling.count(), {});
  used_ = 0;
}

void TileBins::add_block(Bin& bin) {
  if (used_ == blocks_.size()) {
    blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>((room_for_faces_ ? 3 : 2) * kBlockSize));
    previous_.resize(blocks_.size());
  }
  previous_[used_] = bin.block;
  std::uint32_t* const first = block(used_);
  bin = {first, first + kBlockSize, used_++};
}

void TileBins::take(const Samples& samples) {
  const std::uint32_t stride = tiling_.stride(), in_u = tiling_.width() - 1, in_v = tiling_.height() - 1;
  const std::uint32_t shift_u = tiling_.shift_u, shift_v = tiling_.shift_v, across = tiling_.across;
  const auto [columns, keys, faces, count] = samples;
  const bool with_faces = faces_;
  Bin* const bins = bins_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t u = columns[i] & ((1u << kRowShift) - 1), v = columns[i] >> kRowShift;
    Bin& bin = bins[(v >> shift_v) * across + (u >> shift_u)];
    if (bin.next == bin.end) [[unlikely]]
      add_block(bin);
    std::uint32_t* const to = bin.next++;
    to[0] = (v & in_v) * stride + (u & in_u);
    to[kBlockSize] = keys[i];
    if (with_faces) to[2 * kBlockSize] = faces[i];
  }
}

void TileBins::empty_into(std::size_t tile, SampleSink& out) const {
  const Bin& bin = bins_[tile];
  std::size_t count = bin.block == kNoBlock ? 0 : static_cast<std::size_t>(bin.next - block(bin.block));
  for (std::uint32_t i = bin.block; i != kNoBlock; i = previous_[i]) {
    const std::uint32_t* const b = block(i);
    out.take({b, b + kBlockSize, faces_ ? b + 2 * kBlockSize : nullptr, count});
    count = kBlockSize;
  }
}

}  // namespace lamella::software
