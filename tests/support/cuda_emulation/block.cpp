// The threads of a block. Those that can go on stand in one list; who is next is drawn from it. A thread that waits
// switches straight to the next one, and a thread that ends lets the next one begin on its stack, so that a kernel
// without barriers never switches at all.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "device.hpp"
#include "emulation.hpp"
#include "fiber.hpp"
#include "internal.hpp"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace cuda_emulation {
namespace {

constexpr unsigned kWarp = 32;
constexpr const char* kNames[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",
                                  "__shfl_xor_sync",   "__ballot_sync",     "__any_sync",        "__all_sync",
                                  "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
                                  "__reduce_max_sync", "__reduce_or_sync",  "__reduce_and_sync", "__reduce_xor_sync"};

// A block's static shared arrays are not filled for every block of a large grid: there are all kernels' arrays to fill.
constexpr std::size_t kAlwaysFilled = 16;
constexpr std::uint32_t kSeldom = 16;
// One atomic in so many lets others go first. A block that does nothing else for so many of them waits in vain.
constexpr std::uint32_t kYieldOneIn = 8;
constexpr std::uint64_t kSpinAtMost = std::uint64_t{1} << 24;

enum class State { fresh, ready, at_collective, at_barrier, done };

struct Thread {
  State state = State::fresh;
  Op op = Op::syncwarp;
  unsigned mask = 0, argument = 0;
  int width = 0;
  std::uint64_t value = 0;
  Where where;
  Fiber* fiber = nullptr;
};

struct Block {
  std::vector<Thread> threads;
  std::vector<Thread*> ready;     // fresh ones too
  std::vector<unsigned> arrived;  // of each warp: its lanes at a collective
  unsigned alive = 0, waiting = 0;
  std::uint64_t spins = 0;  // atomics since a thread ended or a barrier was complete
  Thread* current = nullptr;
  Where barrier_where;
  bool vote = false, outcome = false;  // of threads at the barrier, and of the latest complete one
  const std::function<void()>* thread = nullptr;
  Fiber caller;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber*> free;
  std::vector<std::byte> shared;
};
Block block;
std::uint64_t schedule_seed = from_environment("CUDA_EMULATION_SCHEDULE", 1), random_state = 1;

std::uint32_t draw(std::uint32_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return static_cast<std::uint32_t>(((random_state >> 32) * below) >> 32);
}

unsigned number(const Thread& t) { return static_cast<unsigned>(&t - block.threads.data()); }

std::string place(const Where& where) { return std::string(where.file_name()) + ":" + std::to_string(where.line()); }

bool same_place(const Where& a, const Where& b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

std::string describe(const Thread& t) {
  const std::string who = "thread " + std::to_string(number(t));
  if (t.state == State::done) return who + " has ended";
  if (t.state == State::at_barrier) return who + " waits at __syncthreads, " + place(t.where);
  if (t.state != State::at_collective) return who + " can go on";
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%08x", t.mask);
  return who + " waits at " + kNames[static_cast<int>(t.op)] + " with mask " + mask + ", " + place(t.where);
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "cuda emulation: block %u: %s\n", blockIdx.x, why.c_str());
  std::abort();
}

/// Says of the first warp in which somebody waits where its lanes are, lanes in the same place together.
[[noreturn]] void give_up_waiting() {
  std::string why = "a barrier can never be complete:";
  for (std::size_t first = 0; first < block.threads.size(); first += kWarp) {
    std::string warp, last;
    bool waits = false;
    for (std::size_t i = first; i < std::min(first + kWarp, block.threads.size()); ++i) {
      const std::string text = describe(block.threads[i]);
      const std::string what = text.substr(text.find(' ', 7));
      waits |= block.threads[i].state != State::done;
      if (what != last) warp += "\n  from " + text;
      last = what;
    }
    if (waits) why += warp;
    if (why.size() > 2000) break;
  }
  give_up(why);
}

void set_current(Thread& t) {
  block.current = &t;
  t.state = State::ready;
  const unsigned n = number(t);
  threadIdx = {n % blockDim.x, n / blockDim.x % blockDim.y, n / blockDim.x / blockDim.y};
}

Thread* take_ready() {
  if (block.ready.empty()) return nullptr;
  const std::uint32_t i = draw(static_cast<std::uint32_t>(block.ready.size()));
  Thread* t = block.ready[i];
  block.ready[i] = block.ready.back();
  block.ready.pop_back();
  return t;
}

void fiber_main();

Fiber* take_fiber() {
  if (block.free.empty()) {
    block.fibers.push_back(std::make_unique<Fiber>());
    make_fiber(*block.fibers.back(), fiber_main);
    return block.fibers.back().get();
  }
  Fiber* fiber = block.free.back();
  block.free.pop_back();
  return fiber;
}

/// Lets another thread go on, until this one is drawn.
void leave() {
  Thread& self = *block.current;
  Thread* next = take_ready();
  if (next == nullptr) give_up_waiting();
  if (next == &self) return;
  if (next->state == State::fresh) next->fiber = take_fiber();
  set_current(*next);
  switch_fiber(*self.fiber, *next->fiber);
}

void release_barrier() {
  for (Thread& t : block.threads) {
    if (t.state != State::at_barrier) continue;
    if (!same_place(t.where, block.barrier_where))
      give_up("__syncthreads of different places meet: " + place(t.where) + " and " + place(block.barrier_where));
    t.state = State::ready;
    block.ready.push_back(&t);
  }
  block.waiting = 0;
  block.spins = 0;
  block.outcome = block.vote;
  block.vote = false;
}

/// Where every fiber lives: runs threads one after another, each from beginning to end.
void fiber_main() {
  for (;;) {
    Thread& self = *block.current;
    Fiber& fiber = *self.fiber;
    (*block.thread)();
    self.state = State::done;
    block.spins = 0;
    if (--block.alive != 0 && block.waiting == block.alive) release_barrier();
    Thread* next = take_ready();
    if (next != nullptr && next->state == State::fresh) {
      next->fiber = &fiber;
      set_current(*next);
      continue;
    }
    if (next == nullptr && block.alive != 0) give_up_waiting();
    block.free.push_back(&fiber);
    if (next != nullptr) set_current(*next);
    switch_fiber(fiber, next == nullptr ? block.caller : *next->fiber);
  }
}

void run_block(std::size_t shared_bytes) {
  std::fill_n(block.shared.begin(), shared_bytes, std::byte{kFreshShared});
  block.alive = static_cast<unsigned>(block.threads.size());
  block.waiting = 0;
  std::fill(block.arrived.begin(), block.arrived.end(), 0u);
  block.ready.clear();
  for (Thread& t : block.threads) {
    t.state = State::fresh;
    block.ready.push_back(&t);
  }
  Thread& first = *take_ready();
  first.fiber = take_fiber();
  set_current(first);
  switch_fiber(block.caller, *first.fiber);
  block.current = nullptr;
}

/// The lane that a shuffle reads; its own where that would be outside of its part of the warp.
unsigned source_lane(const Thread& t, unsigned lane) {
  const auto width = static_cast<unsigned>(t.width);
  const unsigned first = lane / width * width, in = lane - first;
  switch (t.op) {
    case Op::shfl:
      return first + t.argument % width;
    case Op::shfl_up:
      return in >= t.argument ? lane - t.argument : lane;
    case Op::shfl_down:
      return in + t.argument < width ? lane + t.argument : lane;
    default: {
      const unsigned other = lane ^ t.argument;
      return other < first + width ? other : lane;
    }
  }
}

std::uint32_t combine(Op op, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  switch (op) {
    case Op::reduce_add:
      return a + b;
    case Op::reduce_min:
      return std::min(a, b);
    case Op::reduce_max:
      return std::max(a, b);
    case Op::reduce_min_signed:
      return static_cast<std::uint32_t>(std::min(x, y));
    case Op::reduce_max_signed:
      return static_cast<std::uint32_t>(std::max(x, y));
    case Op::reduce_or:
      return a | b;
    case Op::reduce_and:
      return a & b;
    default:
      return a ^ b;
  }
}

/// What a shuffle gives that reads a lane which does not take part.
constexpr std::uint64_t kUndefined = 0xBDBDBDBDBDBDBDBDu;

void answer_shuffle(Thread* warp, unsigned mask) {
  std::array<std::uint64_t, kWarp> answers{};
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned from = source_lane(warp[lane], lane);
    answers[lane] = (mask >> from & 1u) != 0 ? warp[from].value : kUndefined;
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1)
    warp[std::countr_zero(rest)].value = answers[static_cast<unsigned>(std::countr_zero(rest))];
}

/// One answer for all lanes.
std::uint64_t answer_common(const Thread* warp, Op op, unsigned mask) {
  unsigned votes = 0;
  std::uint32_t total = 0;
  bool first = true;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto value = static_cast<std::uint32_t>(warp[lane].value);
    if (value != 0) votes |= 1u << lane;
    total = first ? value : combine(op, total, value);
    first = false;
  }
  if (op == Op::ballot) return votes;
  if (op == Op::any) return votes != 0;
  if (op == Op::all) return votes == mask;
  return total;
}

/// All lanes of the mask have arrived, at the same thing.
bool complete(const Thread* warp, const Thread& self, unsigned arrived) {
  if ((arrived & self.mask) != self.mask) return false;
  for (unsigned rest = self.mask; rest != 0; rest &= rest - 1) {
    const Thread& t = warp[std::countr_zero(rest)];
    if (t.op != self.op || t.mask != self.mask) return false;
  }
  return true;
}

}  // namespace

std::uint64_t collective(Op op, unsigned mask, std::uint64_t value, unsigned argument, int width, Where where) {
  Thread& self = *block.current;
  const unsigned n = number(self), lane = n % kWarp;
  Thread* warp = block.threads.data() + (n - lane);
  self.op = op;
  self.mask = mask;
  self.argument = argument;
  self.width = width;
  self.value = value;
  self.where = where;
  self.state = State::at_collective;
  if ((mask >> lane & 1u) == 0) give_up(describe(self) + ", and is not in it");
  if (width <= 0 || width > static_cast<int>(kWarp) || !std::has_single_bit(static_cast<unsigned>(width)))
    give_up(describe(self) + ", with a width that is not a power of two up to 32");
  unsigned& arrived = block.arrived[n / kWarp];
  arrived |= 1u << lane;
  if (!complete(warp, self, arrived)) {
    leave();
    return self.value;
  }
  if (op >= Op::shfl && op <= Op::shfl_xor) {
    answer_shuffle(warp, mask);
  } else if (op != Op::syncwarp) {
    const std::uint64_t answer = answer_common(warp, op, mask);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) warp[std::countr_zero(rest)].value = answer;
  }
  arrived &= ~mask;
  block.spins = 0;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    Thread& t = warp[std::countr_zero(rest)];
    t.state = State::ready;
    if (&t != &self) block.ready.push_back(&t);
  }
  return self.value;
}

void barrier(Where where) {
  Thread& self = *block.current;
  self.state = State::at_barrier;
  self.where = where;
  block.barrier_where = where;
  if (++block.waiting == block.alive) release_barrier();
  leave();
}

bool voting_barrier(bool vote, Where where) {
  block.vote = block.vote || vote;
  barrier(where);
  return block.outcome;
}

void maybe_yield() {
  if (++block.spins > kSpinAtMost)
    give_up("thread " + std::to_string(number(*block.current)) +
            " waits in a loop for what no thread of its block does; blocks run one after another, in any order");
  if (draw(kYieldOneIn) != 0) return;
  block.ready.push_back(block.current);
  leave();
}

void* dynamic_shared() { return block.shared.data(); }

void set_schedule(std::uint64_t seed) { schedule_seed = seed; }

void run_grid(dim3 grid, dim3 threads, std::size_t shared_bytes, const std::function<void()>& thread) {
  // Spread, so that seeds that are neighbours have nothing in common; never 0.
  random_state = (schedule_seed + 1) * 0x9E3779B97F4A7C15u | 1u;
  gridDim = grid;
  blockDim = threads;
  const std::size_t count = std::size_t{threads.x} * threads.y * threads.z;
  block.thread = &thread;
  block.threads.assign(count, {});
  block.arrived.assign((count + kWarp - 1) / kWarp, 0u);
  // Vectors of std::byte come from operator new: aligned for any vector type.
  if (block.shared.size() < shared_bytes) block.shared.resize(shared_bytes);
  const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
  const std::size_t first = draw(0xffffffffu) % blocks;
  std::size_t step = draw(0xffffffffu) % blocks + 1;
  while (std::gcd(step, blocks) != 1) ++step;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t b = (first + i * step) % blocks;
    if (i < kAlwaysFilled || draw(kSeldom) == 0) fill_static_shared();
    blockIdx = {static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                static_cast<unsigned>(b / grid.x / grid.y)};
    run_block(shared_bytes);
  }
}

}  // namespace cuda_emulation
