#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lamella::clash {

/// Whether `text` is what the pattern stands for: "*" any characters, "?" one character, which may be several bytes of
/// UTF-8. Linear in most cases, never more than the product of both lengths.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

/// Many patterns, of which those are found that a text matches: by what they begin or end with, so that few of them are
/// tried.
class Patterns {
 public:
  /// Keeps a view of the pattern.
  void add(std::string_view pattern, std::uint32_t number);
  /// The numbers of those that match, ascending. From several threads at a time, if wanted.
  void find(std::string_view text, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  struct Glob {
    std::string_view pattern;
    std::uint32_t number = 0;
  };
  using Globs = std::unordered_map<std::string_view, std::vector<Glob>>;
  /// By an end of theirs: those of each length together.
  struct ByEnd {
    std::vector<std::size_t> lengths;
    Globs globs;

    void add(std::string_view end, const Glob& glob);
  };

  bool empty_ = true;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> words_;  ///< patterns without "*" and "?"
  ByEnd beginnings_, endings_;                                              ///< the second of those that begin with one
};

}  // namespace lamella::clash
