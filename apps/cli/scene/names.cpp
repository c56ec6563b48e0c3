#include "cli/scene/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace lamella::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostQuoted = 60;

/// A path's last `count` parts, or all of it.
fs::path tail(const fs::path& path, std::ptrdiff_t count) {
  const auto parts = std::distance(path.begin(), path.end());
  if (parts <= count) return path;
  fs::path out;
  for (auto part = std::next(path.begin(), parts - count); part != path.end(); ++part) out /= *part;
  return out;
}

/// Labels of different files: those that look alike get one folder more, until none do.
std::vector<std::string> distinct_tails(const std::vector<fs::path>& paths) {
  std::vector<std::string> labels(paths.size());
  std::vector<std::size_t> alike(paths.size());
  for (std::size_t i = 0; i < alike.size(); ++i) alike[i] = i;
  for (std::ptrdiff_t count = 1; !alike.empty(); ++count) {
    std::unordered_map<std::string, std::size_t> uses;
    for (const std::size_t i : alike) ++uses[labels[i] = tail(paths[i], count).string()];
    std::erase_if(alike, [&](std::size_t i) { return uses[labels[i]] == 1 || labels[i] == paths[i].string(); });
  }
  return labels;
}

}  // namespace

std::string in_quotes(std::string_view name) {
  if (name.size() <= kMostQuoted) return fmt::format("\"{}\"", name);
  std::size_t end = kMostQuoted;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // not inside a character of UTF-8
  return fmt::format("\"{}...\"", name.substr(0, end));
}

std::string identity_of(const fs::path& path) {
  std::error_code failure;
  const fs::path found = fs::weakly_canonical(path, failure);
  return failure ? path.string() : found.string();
}

std::vector<std::string> labels_of(const std::vector<std::string>& paths) {
  std::unordered_map<std::string, std::size_t> numbers;  // of files, in the order of their first names
  std::vector<fs::path> files;
  std::vector<std::size_t> file_of, repeats, repeat_of;
  for (const std::string& path : paths) {
    const auto [known, is_new] = numbers.emplace(identity_of(path), files.size());
    if (is_new) {
      files.push_back(fs::path(path).lexically_normal());
      repeats.push_back(0);
    }
    file_of.push_back(known->second);
    repeat_of.push_back(++repeats[known->second]);
  }
  const std::vector<std::string> distinct = distinct_tails(files);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& label = distinct[file_of[i]];
    labels.push_back(repeat_of[i] == 1 ? label : fmt::format("{}#{}", label, repeat_of[i]));
  }
  return labels;
}

}  // namespace lamella::cli
