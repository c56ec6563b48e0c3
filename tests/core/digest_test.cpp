#include "core/digest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lamella {
namespace {

// Of xxhsum -H1.
TEST(Digest, IsXxh64) {
  EXPECT_EQ(digest_of(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(digest_of("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(digest_of("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(digest_of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

// Of the library xxhash with a seed.
TEST(Digest, HasSeeds) {
  EXPECT_EQ(digest_of("", 1), 0xD5AFBA1336A3BE4Bu);
  EXPECT_NE(digest_of("abc", 1), digest_of("abc"));
  const WideDigest wide = wide_digest_of("abc");
  EXPECT_EQ(wide.first, digest_of("abc"));
  EXPECT_EQ(wide.second, digest_of("abc", 1));
}

TEST(Digest, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 37);
  const std::uint64_t whole = digest_of(text);
  for (std::size_t piece = 1; piece < 80; ++piece) {
    Digest digest;
    for (std::size_t at = 0; at < text.size(); at += piece) digest.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(digest.value(), whole) << piece;
  }
}

TEST(Digest, MoreMayFollowAfterAValue) {
  Digest digest;
  digest.add("ab");
  EXPECT_EQ(digest.value(), digest_of("ab"));
  digest.add("c");
  EXPECT_EQ(digest.value(), digest_of("abc"));
}

}  // namespace
}  // namespace lamella
