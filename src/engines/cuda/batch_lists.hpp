#pragma once

// The crossings of a column as a list, for the thread of the column.

#include "engines/cuda/batch_job.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda::batch {

inline constexpr std::uint32_t kNoNode = ~0u;
/// Numbers of nodes stay below this and some thousands more.
inline constexpr std::uint32_t kMostNodes = 0xf0000000u;
static_assert(kMaxBatchNodes < kMostNodes, "a pair that needs too many must be detected");

// Words of slots (batch_slots.hpp) are kNoNode, a key or a link to a node. A slot has only entries or only exits, so
// the last bit of a key is free: it is set in keys and not in links.

/// In place of a link: the column's crossings are in plain lists now.
inline constexpr std::uint32_t kListed = kNoNode - 1;

__device__ __forceinline__ std::uint32_t slot_of_key(std::uint32_t key) { return key | 1u; }
__device__ __forceinline__ std::uint32_t slot_of_node(std::uint32_t node) { return node << 1; }

/// Nodes of a block: the first in shared memory, the rest in device memory.
struct NodePool {
  BatchNode* near;
  BatchNode* far;
  std::uint32_t near_count, capacity;

  [[nodiscard]] __device__ __forceinline__ BatchNode& at(std::uint32_t i) const {
    return i < near_count ? near[i] : far[i - near_count];
  }
};

/// The same when all of them are in shared memory.
struct NearNodes {
  BatchNode* near;
  [[nodiscard]] __device__ __forceinline__ BatchNode& at(std::uint32_t i) const { return near[i]; }
};

// `Nodes` is one of these two.

struct ListFacts {
  std::uint32_t count = 0, entries = 0;
  /// Sum of the signs: 0 when the column closes.
  [[nodiscard]] __device__ int balance() const { return 2 * static_cast<int>(entries) - static_cast<int>(count); }
};

template <class Nodes>
__device__ ListFacts walk(const Nodes& nodes, std::uint32_t head) {
  ListFacts facts;
#pragma unroll 1
  while (head != kNoNode) {
    const BatchNode n = nodes.at(head);
    ++facts.count;
    facts.entries += n.key & 1u;
    head = n.next;
  }
  return facts;
}

/// Insertion sort, for the few crossings that most columns have.
template <class Nodes>
__device__ std::uint32_t sort_short(const Nodes& nodes, std::uint32_t head) {
  std::uint32_t sorted = head, sorted_key = nodes.at(head).key;
  std::uint32_t rest = nodes.at(head).next;
  nodes.at(head).next = kNoNode;
#pragma unroll 1
  while (rest != kNoNode) {
    const std::uint32_t taken = rest;
    BatchNode& n = nodes.at(taken);
    rest = n.next;
    if (n.key <= sorted_key) {
      n.next = sorted;
      sorted = taken;
      sorted_key = n.key;
      continue;
    }
    std::uint32_t before = sorted, after = nodes.at(sorted).next;
#pragma unroll 1
    while (after != kNoNode && nodes.at(after).key < n.key) {
      before = after;
      after = nodes.at(after).next;
    }
    n.next = after;
    nodes.at(before).next = taken;
  }
  return sorted;
}

/// Merge sort of runs of 1, 2, 4, ...: n log n steps for any number of crossings, without extra memory.
template <class Nodes>
__device__ std::uint32_t sort_long(const Nodes& nodes, std::uint32_t head, std::uint32_t count) {
  for (std::uint64_t run = 1; run < count; run *= 2) {
    std::uint32_t a = head, last = kNoNode;
    head = kNoNode;
    while (a != kNoNode) {
      std::uint32_t b = a;
      std::uint64_t left_a = 0, left_b = run;
      while (left_a < run && b != kNoNode) {
        ++left_a;
        b = nodes.at(b).next;
      }
      while (left_a != 0 || (left_b != 0 && b != kNoNode)) {
        const bool take_a = left_b == 0 || b == kNoNode || (left_a != 0 && nodes.at(a).key <= nodes.at(b).key);
        std::uint32_t& from = take_a ? a : b;
        --(take_a ? left_a : left_b);
        const std::uint32_t taken = from;
        from = nodes.at(taken).next;
        if (last == kNoNode)
          head = taken;
        else
          nodes.at(last).next = taken;
        last = taken;
      }
      a = b;
    }
    nodes.at(last).next = kNoNode;
  }
  return head;
}

/// Sorts the list in ascending order.
template <class Nodes>
__device__ std::uint32_t sort_list(const Nodes& nodes, std::uint32_t head, std::uint32_t count) {
  constexpr std::uint32_t kShort = 24;
  return count <= 1 ? head : count <= kShort ? sort_short(nodes, head) : sort_long(nodes, head, count);
}

}  // namespace lamella::cuda::batch
