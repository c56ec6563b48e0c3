#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lamella {

/// XXH64 (Yann Collet) of bytes that come piece by piece, at several GB/s: tells whether a file or a mesh is as it was.
/// It guards against accidents, not against people.
class Digest {
 public:
  Digest() : Digest(0) {}
  explicit Digest(std::uint64_t seed);

  void add(std::string_view bytes);
  /// Of all bytes so far; more may follow.
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> lanes_;
  std::array<char, 32> rest_{};  ///< of a stripe that is not complete
  std::uint64_t size_ = 0;
};

[[nodiscard]] std::uint64_t digest_of(std::string_view bytes, std::uint64_t seed = 0);

/// Two digests with different seeds, where there are so many things to tell apart that 64 bits could be equal by
/// chance.
struct WideDigest {
  std::uint64_t first = 0, second = 0;
  friend constexpr bool operator==(const WideDigest&, const WideDigest&) = default;
};

[[nodiscard]] WideDigest wide_digest_of(std::string_view bytes);

}  // namespace lamella
