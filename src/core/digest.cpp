#include "core/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lamella {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u, kPrime2 = 0xC2B2AE3D27D4EB4Fu, kPrime3 = 0x165667B19E3779F9u,
                        kPrime4 = 0x85EBCA77C2B2AE63u, kPrime5 = 0x27D4EB2F165667C5u;
constexpr std::size_t kStripe = 32;

template <class T>
T load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * kPrime2, 31) * kPrime1; }

void take_stripe(std::array<std::uint64_t, 4>& lanes, const char* p) {
  for (std::size_t i = 0; i < 4; ++i) lanes[i] = round(lanes[i], load<std::uint64_t>(p + 8 * i));
}

/// The bytes behind the last stripe, and the mixing at the end.
std::uint64_t finish(std::uint64_t hash, const char* p, const char* end) {
  for (; end - p >= 8; p += 8) hash = std::rotl(hash ^ round(0, load<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
  if (end - p >= 4) {
    hash = std::rotl(hash ^ load<std::uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
    p += 4;
  }
  for (; p != end; ++p) hash = std::rotl(hash ^ static_cast<unsigned char>(*p) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace

Digest::Digest(std::uint64_t seed)
    : seed_(seed), lanes_{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1} {}

void Digest::add(std::string_view bytes) {
  if (bytes.empty()) return;  // data() may be null, which memcpy does not allow
  const std::size_t kept = size_ % kStripe;
  size_ += bytes.size();
  if (kept != 0) {
    const std::size_t taken = std::min(kStripe - kept, bytes.size());
    std::memcpy(rest_.data() + kept, bytes.data(), taken);
    bytes.remove_prefix(taken);
    if (kept + taken < kStripe) return;
    take_stripe(lanes_, rest_.data());
  }
  auto lanes = lanes_;  // in registers
  for (; bytes.size() >= kStripe; bytes.remove_prefix(kStripe)) take_stripe(lanes, bytes.data());
  lanes_ = lanes;
  if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
}

std::uint64_t Digest::value() const {
  std::uint64_t hash = seed_ + kPrime5;
  if (size_ >= kStripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  }
  return finish(hash + size_, rest_.data(), rest_.data() + size_ % kStripe);
}

std::uint64_t digest_of(std::string_view bytes, std::uint64_t seed) {
  Digest digest(seed);
  digest.add(bytes);
  return digest.value();
}

WideDigest wide_digest_of(std::string_view bytes) { return {digest_of(bytes), digest_of(bytes, 1)}; }

}  // namespace lamella
