#include "mpi/mesh_cache.hpp"

#include <new>
#include <thread>

#include "mpi/mesh_bytes.hpp"

namespace lamella::mpi {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "processes share them");

/// Held for some loads and stores at a time: never while somebody waits for a message.
class MeshCache::Lock {
 public:
  explicit Lock(Control& control) : locked_(control.locked) {
    while (locked_.exchange(1, std::memory_order_acquire) != 0) std::this_thread::yield();
  }
  ~Lock() { locked_.store(0, std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic<std::uint32_t>& locked_;
};

std::uint64_t MeshCache::room_for(std::uint64_t bytes) { return kLine + in_lines(bytes); }

std::uint64_t MeshCache::control_bytes(std::uint32_t mesh_count) {
  return in_lines(sizeof(Control)) + in_lines(mesh_count * sizeof(Entry));
}

MeshCache::MeshCache(const Processes& node, std::uint32_t mesh_count, std::uint64_t bytes, const MemoryUse& use)
    : bytes_(bytes / kLine * kLine), memory_(node, node.rank() == 0 ? control_bytes(mesh_count) + bytes_ : 0, use) {
  char* begin = memory_.piece(0);
  char* entries = begin + in_lines(sizeof(Control));
  control_ = reinterpret_cast<Control*>(begin);
  entries_ = {reinterpret_cast<Entry*>(entries), mesh_count};
  blocks_ = begin + control_bytes(mesh_count);
  if (node.rank() == 0) {
    new (begin) Control;
    for (Entry& entry : entries_) new (&entry) Entry;
    if (bytes_ != 0) new (blocks_) Block{bytes_, kFree};
  }
  memory_.publish();
}

MeshCache::Block& MeshCache::block(std::uint64_t at) const { return *reinterpret_cast<Block*>(blocks_ + at); }

bool MeshCache::in_use(const Block& of) const { return of.mesh != kFree && entries_[of.mesh].users != 0; }

/// Where `bytes` are free, in one piece; or `bytes_`.
std::uint64_t MeshCache::make_room(std::uint64_t bytes) noexcept {
  std::uint64_t begin = control_->next, end = begin;
  for (std::uint64_t seen = 0; seen < bytes_ + bytes && bytes <= bytes_;) {  // once around, and over where it began
    if (end == bytes_) begin = end = 0;
    const Block& next = block(end);
    seen += next.bytes;
    end += next.bytes;
    if (in_use(next)) begin = end;
    if (end - begin < bytes) continue;
    drop(begin, end);
    if (end - begin > bytes) new (&block(begin + bytes)) Block{end - begin - bytes, kFree};
    control_->next = begin + bytes;
    return begin;
  }
  return bytes_;
}

void MeshCache::drop(std::uint64_t begin, std::uint64_t end) noexcept {
  for (std::uint64_t at = begin; at < end; at += block(at).bytes) {
    if (block(at).mesh == kFree) continue;
    entries_[block(at).mesh].state.store(absent, std::memory_order_relaxed);
    ++dropped_;
  }
}

MeshCache::Found MeshCache::acquire(std::uint32_t mesh, std::uint64_t bytes) noexcept {
  const Lock lock(*control_);
  Entry& entry = entries_[mesh];
  const bool fetch = entry.state.load(std::memory_order_relaxed) == absent;
  if (fetch) {
    const std::uint64_t at = make_room(room_for(bytes));
    if (at == bytes_) return {};
    new (&block(at)) Block{room_for(bytes), mesh};
    entry.memory = at + kLine;
    entry.state.store(coming, std::memory_order_relaxed);
  }
  ++entry.users;
  return {blocks_ + entry.memory, &entry.state, fetch};
}

void MeshCache::release(std::uint32_t mesh) noexcept {
  const Lock lock(*control_);
  --entries_[mesh].users;
}

MeshCache::Claim MeshCache::hold_or_claim(std::uint32_t mesh) noexcept {
  const Lock lock(*control_);
  Entry& entry = entries_[mesh];
  const auto state = static_cast<State>(entry.state.load(std::memory_order_acquire));
  if (state == absent) entry.state.store(coming, std::memory_order_relaxed);
  if (state != there) return {nullptr, state};
  ++entry.users;
  return {blocks_ + entry.memory, there};
}

char* MeshCache::put(std::uint32_t mesh, std::uint64_t bytes) noexcept {
  const Lock lock(*control_);
  Entry& entry = entries_[mesh];
  const std::uint64_t at = make_room(room_for(bytes));
  if (at == bytes_) {
    entry.state.store(alone, std::memory_order_relaxed);
    return nullptr;
  }
  new (&block(at)) Block{room_for(bytes), mesh};
  entry.memory = at + kLine;
  entry.users = 1;
  return blocks_ + entry.memory;
}

void MeshCache::publish(std::uint32_t mesh) noexcept {
  entries_[mesh].state.store(there, std::memory_order_release);
  release(mesh);
}

void MeshCache::give_up(std::uint32_t mesh) noexcept { entries_[mesh].state.store(absent, std::memory_order_release); }

}  // namespace lamella::mpi
