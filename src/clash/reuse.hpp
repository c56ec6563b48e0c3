#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clash/candidates.hpp"
#include "core/digest.hpp"
#include "lamella/clash.hpp"
#include "lamella/clash_cache.hpp"

namespace lamella::clash {

/// Appends an answer for each candidate of a block.
using TestBlock = std::function<void(std::span<const Candidate>, std::vector<ClashPair>&)>;

/// Takes answers from a cache, and puts new ones there.
class Reuse {
 public:
  /// All must outlive it. `engine`: the one that is used. `load`: gives as many meshes as it is asked for.
  Reuse(ClashCache& cache, std::span<const AssemblyPart> parts, const ClashOptions& options, std::string_view engine,
        MeshesByNumber load);

  /// Appends the answers of some candidates, from the first on: of so many that at most `most` of them are not in the
  /// cache, which are tested. Says how many were tested.
  std::size_t answer(std::span<const Candidate> all, std::size_t most, const TestBlock& test,
                     std::vector<ClashPair>& out);
  /// Puts what is new on the disk.
  void finish();

 private:
  [[nodiscard]] WideDigest key_of(const Candidate& candidate);
  void find_digests(std::span<const Candidate> next);

  CacheFile& file_;
  std::span<const AssemblyPart> parts_;
  const ClashOptions& options_;
  MeshesByNumber load_;
  std::unordered_map<std::uint32_t, WideDigest> digests_;
  std::string of_options_;  ///< what all keys begin with
  std::string key_;
  std::vector<WideDigest> keys_;    ///< of `unknown_`
  std::vector<Candidate> unknown_;  ///< of a block
  std::vector<std::size_t> places_;
  std::vector<ClashPair> found_;
  std::vector<std::uint32_t> new_meshes_;  ///< without a digest
};

}  // namespace lamella::clash
