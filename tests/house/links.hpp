#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lamella::test {

/// A link of a Markdown file, with the line it is on.
struct Link {
  std::string target;
  int line = 0;
};

/// Links, images and HTML's src and href, outside of code.
[[nodiscard]] std::vector<Link> links_in(const std::string& markdown);

/// What a link can name behind its #: headings, as GitHub turns them into anchors, and HTML's id and name.
[[nodiscard]] std::set<std::string> anchors_in(const std::string& markdown);

/// "FILE:LINE: TARGET: why" for each link of the .md files in `root` that leads nowhere, or out of it. Links to the
/// network are not followed. Folders of builds, of npm and hidden ones are left out.
[[nodiscard]] std::vector<std::string> dead_links(const std::filesystem::path& root);

}  // namespace lamella::test
