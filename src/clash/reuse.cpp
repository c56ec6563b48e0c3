#include "clash/reuse.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "clash/cache_file.hpp"
#include "core/mesh_digest.hpp"
#include "lamella/version.hpp"

namespace lamella::clash {
namespace {

/// To be raised whenever a change of the library changes the answer of a pair, in its last bit or otherwise. (Answers
/// of another released version are never used.)
constexpr std::uint32_t kAnswers = 10;

constexpr std::size_t kMostLookedUp = 1024;  ///< between two looks at progress and stop
constexpr std::size_t kMostDigests = 64;     ///< found at a time, about: their meshes are all in memory

template <class T>
void append(std::string& key, const T& value) {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, Vec3d> || std::is_same_v<T, Quaternion> ||
                std::is_same_v<T, WideDigest>);  // without gaps between members
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& key, std::string_view text) {
  append(key, std::uint64_t{text.size()});
  key += text;
}

/// All options that the answer of a pair depends on, but for those that its rule may replace.
std::string key_of(const ClashOptions& options, std::string_view engine) {
  std::string key;
  append_text(key, kVersion);
  append(key, kAnswers);
  append_text(key, engine);
  append(key, options.resolution);
  append(key, options.tolerance.has_value());
  append(key, options.tolerance.value_or(Tolerance{}).relative);
  append(key, options.tolerance.value_or(Tolerance{}).absolute);
  append(key, options.certify);
  append(key, options.close_holes);
  append(key, options.touch);
  append(key, static_cast<std::uint32_t>(options.way_out));
  return key;
}

}  // namespace

Reuse::Reuse(ClashCache& cache, std::span<const AssemblyPart> parts, const ClashOptions& options,
             std::string_view engine, MeshesByNumber load)
    : file_(*cache.file_),
      parts_(parts),
      options_(options),
      load_(std::move(load)),
      of_options_(clash::key_of(options, engine)) {}

/// Of the first candidate's meshes, and with them of some that come next: meshes of another machine are brought by
/// messages, and one message may ask for many.
void Reuse::find_digests(std::span<const Candidate> next) {
  const auto is_known = [&](const Candidate& c) {
    return digests_.contains(parts_[c.a].mesh) && digests_.contains(parts_[c.b].mesh);
  };
  if (is_known(next.front())) return;
  new_meshes_.clear();
  for (const Candidate& c : next) {
    for (const std::uint32_t part : {c.a, c.b})
      if (const std::uint32_t mesh = parts_[part].mesh; !digests_.contains(mesh)) new_meshes_.push_back(mesh);
    if (new_meshes_.size() >= kMostDigests) break;
  }
  std::sort(new_meshes_.begin(), new_meshes_.end());
  new_meshes_.erase(std::unique(new_meshes_.begin(), new_meshes_.end()), new_meshes_.end());
  const HeldMeshes meshes = load_(new_meshes_);
  for (std::size_t i = 0; i < new_meshes_.size(); ++i)
    digests_.emplace(new_meshes_[i], wide_digest_of(meshes.views[i]));
}

WideDigest Reuse::key_of(const Candidate& candidate) {
  const AssemblyPart &a = parts_[candidate.a], &b = parts_[candidate.b];
  key_ = of_options_;
  append(key_, digests_.at(a.mesh));
  append(key_, digests_.at(b.mesh));
  append(key_, a.mesh == b.mesh);  // the same mesh is a duplicate with less doubt than an equal one
  for (const AssemblyPart* part : {&a, &b}) {
    append(key_, part->pose.translation);
    append(key_, part->pose.rotation);
  }
  append(key_, candidate.boxes_meet);
  append(key_, clearance_of(options_, candidate.rule));
  append(key_, candidate.rule != kNoRule);
  if (candidate.rule != kNoRule) {
    const ClashRule& rule = options_.rules[candidate.rule];
    append(key_, rule.allowed_depth);
    append(key_, rule.allowed_volume);
    append(key_, rule.allow_contact);
  }
  return wide_digest_of(key_);
}

std::size_t Reuse::answer(std::span<const Candidate> all, std::size_t most, const TestBlock& test,
                          std::vector<ClashPair>& out) {
  keys_.clear();
  unknown_.clear();
  places_.clear();
  found_.clear();
  const std::span<const Candidate> some = all.first(std::min(all.size(), kMostLookedUp));
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Candidate& candidate = some[i];
    find_digests(some.subspan(i));
    const WideDigest key = key_of(candidate);
    auto known = file_.find(key);
    if (!known && unknown_.size() == most) break;
    if (!known) {
      keys_.push_back(key);
      unknown_.push_back(candidate);
      places_.push_back(out.size());
    }
    ClashPair& pair = out.emplace_back(known ? std::move(*known) : ClashPair{});
    pair.a = candidate.a, pair.b = candidate.b, pair.rule = candidate.rule;
  }
  if (unknown_.empty()) return 0;
  test(unknown_, found_);
  file_.append(keys_, found_);
  for (std::size_t i = 0; i < places_.size(); ++i) out[places_[i]] = std::move(found_[i]);
  return unknown_.size();
}

void Reuse::finish() { file_.sync(); }

}  // namespace lamella::clash
