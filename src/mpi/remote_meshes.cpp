#include "mpi/remote_meshes.hpp"

#include <atomic>
#include <list>

namespace lamella::mpi {

/// Meshes that are in use: in the memory of the node, or here alone where that had no room.
class RemoteMeshes::Loan {
 public:
  using State = std::atomic<std::uint32_t>;
  struct Own {
    std::vector<char> memory;
    State state{MeshCache::there};
  };

  Loan(MeshCache& cache, std::size_t most) : cache_(cache) { shared_.reserve(most); }
  /// Not before they are there: they come to this memory.
  ~Loan() {
    wait();
    for (const Shared& mesh : shared_) cache_.release(mesh.place);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  MeshCache::Found share(const Wanted& mesh) noexcept {
    const MeshCache::Found found = cache_.acquire(mesh.place, mesh.bytes);
    if (found.memory != nullptr) shared_.push_back({mesh.place, found.state});  // has room: throws nothing
    return found;
  }

  /// Memory of this process; to be fetched into, if at all, after its state was set to `coming`.
  Own& own(std::uint64_t bytes) {
    own_.emplace_back().memory.resize(bytes);
    return own_.back();
  }

  void wait() const noexcept {
    Pause pause;
    const auto wait_for = [&](const State& state) {
      while (state.load(std::memory_order_acquire) != MeshCache::there) pause.wait();
    };
    for (const Shared& mesh : shared_) wait_for(*mesh.state);
    for (const Own& mesh : own_) wait_for(mesh.state);
  }

 private:
  struct Shared {
    std::uint32_t place = 0;
    const State* state = nullptr;
  };

  MeshCache& cache_;
  std::vector<Shared> shared_;
  std::list<Own> own_;
};

RemoteMeshes::Borrowed RemoteMeshes::borrow(std::span<const Wanted> wanted) {
  const auto loan = std::make_shared<Loan>(cache_, wanted.size());
  Borrowed out{std::vector<const char*>(wanted.size()), loan};
  std::vector<std::size_t> no_room;
  no_room.reserve(wanted.size());
  MeshService::Batch shared(1), own(1);
  shared.front().reserve(wanted.size());
  // From a mesh that is marked as coming to where it is asked for nothing throws: all of the node wait for it.
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Wanted& mesh = wanted[i];
    const MeshCache::Found found = loan->share(mesh);
    out.meshes[i] = found.memory;
    if (found.memory == nullptr)
      no_room.push_back(i);
    else if (found.fetch)
      shared.front().push_back({mesh.keeper, mesh.begin, mesh.bytes, found.memory, found.state, MeshCache::there});
    else
      ++travels_.shared;
  }
  count(shared.front());
  service_.fetch(shared);
  for (const std::size_t i : no_room) {
    Loan::Own& mesh = loan->own(wanted[i].bytes);
    out.meshes[i] = mesh.memory.data();
    own.front().push_back(
        {wanted[i].keeper, wanted[i].begin, wanted[i].bytes, mesh.memory.data(), &mesh.state, MeshCache::there});
  }
  for (const MeshService::Fetch& fetch : own.front()) fetch.done->store(MeshCache::coming, std::memory_order_relaxed);
  count(own.front());
  service_.fetch(own);
  travels_.unshared += no_room.size();
  loan->wait();
  return out;
}

void RemoteMeshes::count(std::span<const MeshService::Fetch> fetched) {
  travels_.fetched += fetched.size();
  for (const MeshService::Fetch& fetch : fetched) travels_.fetched_bytes += fetch.bytes;
}

MeshTravels RemoteMeshes::travels() const {
  MeshTravels travels = travels_;
  travels.dropped = cache_.dropped();
  return travels;
}

}  // namespace lamella::mpi
