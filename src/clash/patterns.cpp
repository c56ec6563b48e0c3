#include "clash/patterns.hpp"

#include <algorithm>

namespace lamella::clash {
namespace {

constexpr std::string_view kWildcards = "*?";

/// Where the character after the one at `at` begins. A byte that is no UTF-8 is a character.
std::size_t next_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t more = byte(at) >= 0xF0 ? 3 : byte(at) >= 0xE0 ? 2 : byte(at) >= 0xC0 ? 1 : 0;
  const std::size_t end = std::min(text.size(), at + 1 + more);
  for (++at; at < end && (byte(at) & 0xC0) == 0x80;) ++at;
  return at;
}

}  // namespace

/// The last "*" takes up more characters each time what follows it does not match.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next_character(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = taken = next_character(text, taken);
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void Patterns::ByEnd::add(std::string_view end, const Glob& glob) {
  globs[end].push_back(glob);
  const auto at = std::lower_bound(lengths.begin(), lengths.end(), end.size());
  if (at == lengths.end() || *at != end.size()) lengths.insert(at, end.size());
}

void Patterns::add(std::string_view pattern, std::uint32_t number) {
  empty_ = false;
  const std::size_t first = pattern.find_first_of(kWildcards);
  if (first == std::string_view::npos)
    words_[pattern].push_back(number);
  else if (first != 0)
    beginnings_.add(pattern.substr(0, first), {pattern, number});
  else
    endings_.add(pattern.substr(pattern.find_last_of(kWildcards) + 1), {pattern, number});
}

void Patterns::find(std::string_view text, std::vector<std::uint32_t>& out) const {
  out.clear();
  if (const auto word = words_.find(text); word != words_.end()) out = word->second;
  const auto try_all = [&](const Globs& globs, std::string_view end) {
    const auto found = globs.find(end);
    if (found == globs.end()) return;
    for (const Glob& glob : found->second)
      if (matches(glob.pattern, text)) out.push_back(glob.number);
  };
  for (const std::size_t length : beginnings_.lengths)
    if (length <= text.size()) try_all(beginnings_.globs, text.substr(0, length));
  for (const std::size_t length : endings_.lengths)
    if (length <= text.size()) try_all(endings_.globs, text.substr(text.size() - length));
  std::sort(out.begin(), out.end());
}

}  // namespace lamella::clash
