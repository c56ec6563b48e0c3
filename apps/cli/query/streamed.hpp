#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/json.hpp"
#include "answer/query.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "lamella/streamed.hpp"

namespace lamella::cli {

// --memory: meshes that are read in parts, as often as a budget of memory needs.

/// Adds --memory, which excludes --max-memory.
void add_streaming_option(const Command& command, std::optional<std::uint64_t>& memory);

/// Throws Error that names the first of these options that was given: they need the whole mesh.
void refuse_with_memory(const std::vector<std::pair<bool, std::string_view>>& options);
/// The same for the options that intersect, self and contain have in common.
void refuse_with_memory(const QueryArgs& args);

/// A part of --memory, for what is read whole.
struct MemoryShare {
  std::uint64_t bytes;
  std::string_view name;  ///< "half"
};

/// The points of a file, or the vertices of a model, if they take no more than the share. Throws Error.
[[nodiscard]] std::vector<Vec3d> whole_points(const std::string& path, MemoryShare share);

/// A mesh of the command line: a binary PLY, read in parts; any other file, or a model, whole, if it takes no more than
/// half of the memory.
class StreamedInput {
 public:
  StreamedInput(const std::string& path, const Placement& placement, std::uint64_t memory);
  StreamedInput(const StreamedInput&) = delete;
  StreamedInput& operator=(const StreamedInput&) = delete;
  [[nodiscard]] StreamedMesh mesh() const { return {*source_, placement_.scale, placement_.pose}; }

 private:
  Placement placement_;
  Mesh whole_;
  std::unique_ptr<MeshSource> source_;
};

/// While a query on streamed meshes runs: a bar for each pass on a terminal, and Ctrl-C as an end that leaves no files.
class StreamRun {
 public:
  explicit StreamRun(std::uint64_t memory) : memory_(memory) {}

  /// What to ask with; must not outlive this object. `taken`: of the memory, by other things.
  [[nodiscard]] StreamOptions options(std::uint64_t taken = 0);
  /// Throws when a signal came. Called between passes too, where there is work.
  void check() const;
  /// Makes the call, which returns an exit status, and removes the bar. A signal makes the status 128 and its number.
  int run(const std::function<int()>& call);
  void erase_bar() { bar_.reset(); }

 private:
  struct Stopped {};
  std::uint64_t memory_;
  Interrupt interrupt_;
  unsigned pass_ = 0;
  std::unique_ptr<Progress> bar_;
};

/// For --strict: as require_answer(); meshes that are not closed are an Error too.
void require_closed(const Overlap& overlap, const StreamReport& report, bool strict, const answer::Subjects& subjects);

/// For the answer: budget, passes and bytes read.
[[nodiscard]] nlohmann::ordered_json stream_json(const StreamReport& report, std::size_t meshes);
void print_stream(const StreamReport& report, const std::vector<std::string>& names);

}  // namespace lamella::cli
