#pragma once

// One thread walks along a column. In slots, it first sorts the crossings into shared memory, or into local memory if
// there are many; up to eight are sorted without branches. The walk itself is query/column_walk.hpp, as on the CPU, so
// that spans are the same bits.

#include <algorithm>

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"
#include "query/column_walk.hpp"

namespace lamella::cuda {

/// Where a thread sorts columns in slots.
template <std::uint32_t kStride>
struct ColumnRoom {
  std::uint32_t* first;

  __device__ std::uint32_t& operator[](std::uint32_t i) const { return first[i * kStride]; }
  __device__ ColumnRoom behind(std::uint32_t keys) const { return {first + keys * kStride}; }
};
using SharedRoom = ColumnRoom<kQueryThreads>;
using OwnRoom = ColumnRoom<1>;

/// Room in keys for sorting a column: a multiple of four.
__device__ constexpr std::uint32_t room_for(std::uint32_t count) { return (count + 3) / 4 * 4; }

template <bool kSlots>
__device__ std::uint32_t count_at(const ColumnStore& store, std::uint32_t column) {
  return kSlots ? store.counts[column] : store.counts[column + 1] - store.counts[column];
}

/// The keys of a counted column.
__device__ inline const std::uint32_t* keys_at(const ColumnStore& store, std::uint32_t column) {
  return store.keys + store.counts[column];
}

/// Keys i to i + 3 of a column in slots, i a multiple of 4; keys beyond the end are undefined.
__device__ inline uint4 four_places(const ColumnStore& store, std::uint32_t column, std::uint32_t i) {
  return *reinterpret_cast<const uint4*>(store.keys + slot_place(store, column, i));
}
/// Likewise, with kNoKey beyond the end.
__device__ inline uint4 four_keys(const ColumnStore& store, std::uint32_t column, std::uint32_t i,
                                  std::uint32_t count) {
  uint4 k = four_places(store, column, i);
  if (i + 1 >= count) k.y = kNoKey;
  if (i + 2 >= count) k.z = kNoKey;
  if (i + 3 >= count) k.w = kNoKey;
  return k;
}
__device__ inline int entries_of(uint4 k) {
  return static_cast<int>((k.x & 1u) + (k.y & 1u) + (k.z & 1u) + (k.w & 1u));
}

/// Sum of the signs of a column, sorted or not.
template <bool kSlots>
__device__ int balance_at(const ColumnStore& store, std::uint32_t column, std::uint32_t count) {
  int entries = 0;
  if constexpr (kSlots)
#pragma unroll 1
    for (std::uint32_t i = 0; i < count; i += 4) entries += entries_of(four_keys(store, column, i, count));
  else
#pragma unroll 1
    for (std::uint32_t i = 0; i < count; ++i) entries += static_cast<int>(keys_at(store, column)[i] & 1u);
  return 2 * entries - static_cast<int>(count);
}

__device__ inline void put_in_order(std::uint32_t& a, std::uint32_t& b) {
  const std::uint32_t low = std::min(a, b);
  b = std::max(a, b);
  a = low;
}
__device__ inline void sort_four(uint4& k) {
  put_in_order(k.x, k.y);
  put_in_order(k.z, k.w);
  put_in_order(k.x, k.z);
  put_in_order(k.y, k.w);
  put_in_order(k.y, k.z);
}
/// Merges two ascending fours: the last step of a bitonic sort.
__device__ inline void merge_fours(uint4& a, uint4& b) {
  put_in_order(a.x, b.w);
  put_in_order(a.y, b.z);
  put_in_order(a.z, b.y);
  put_in_order(a.w, b.x);
  const auto rest = [](uint4& k) {
    put_in_order(k.x, k.z);
    put_in_order(k.y, k.w);
    put_in_order(k.x, k.y);
    put_in_order(k.z, k.w);
  };
  rest(a);
  rest(b);
}
template <class Room>
__device__ void put_four(const Room& room, std::uint32_t i, uint4 k) {
  room[i] = k.x;
  room[i + 1] = k.y;
  room[i + 2] = k.z;
  room[i + 3] = k.w;
}

/// Inserts `key` into the first `count` keys of a sorted column.
template <class Room>
__device__ void insert_key(const Room& room, std::uint32_t count, std::uint32_t key) {
  std::uint32_t at = count;
#pragma unroll 1
  for (; at > 0; --at) {
    const std::uint32_t before = room[at - 1];
    if (before <= key) break;
    room[at] = before;
  }
  room[at] = key;
}

/// A column's first eight keys, being loaded: fetch all columns of interest before the first of them is sorted, so that
/// their loads are in flight together. Empty for counted columns.
struct FirstKeys {
  uint4 a, b;
};
template <bool kSlots>
__device__ FirstKeys fetch_column(const ColumnStore& store, std::uint32_t column, std::uint32_t count) {
  FirstKeys first{{kNoKey, kNoKey, kNoKey, kNoKey}, {kNoKey, kNoKey, kNoKey, kNoKey}};
  if constexpr (kSlots) {
    first.a = four_keys(store, column, 0, count);
    if (count > 4) first.b = four_keys(store, column, 4, count);
  }
  return first;
}

/// A cursor over the column in ascending order, and the sum of its signs; counted columns are already sorted in place.
template <bool kSlots, std::uint32_t kStride>
__device__ auto sort_column(const ColumnStore& store, std::uint32_t column, std::uint32_t count, FirstKeys first,
                            const ColumnRoom<kStride>& room, int& balance) {
  if constexpr (!kSlots) {
    balance = balance_at<kSlots>(store, column, count);
    return KeyCursor<1>(keys_at(store, column), count);
  } else {
    int entries = entries_of(first.a) + entries_of(first.b);
    sort_four(first.a);
    if (count > 4) {
      sort_four(first.b);
      merge_fours(first.a, first.b);
      put_four(room, 4, first.b);
    }
    put_four(room, 0, first.a);
#pragma unroll 1
    for (std::uint32_t i = 8; i < count; i += 4) {
      const uint4 four = four_keys(store, column, i, count);
      entries += entries_of(four);
      insert_key(room, i, four.x);
      if (i + 1 < count) insert_key(room, i + 1, four.y);
      if (i + 2 < count) insert_key(room, i + 2, four.z);
      if (i + 3 < count) insert_key(room, i + 3, four.w);
    }
    balance = 2 * entries - static_cast<int>(count);
    return KeyCursor<kStride>(room.first, count);
  }
}

}  // namespace lamella::cuda
