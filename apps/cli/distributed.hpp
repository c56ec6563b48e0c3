#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lamella/clash.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/mpi.hpp"

// How a command's work is done: by this process (main_single.cpp, the program `lamella`), or by all processes of an MPI
// job (main_mpi.cpp, the program lamella-mpi).

namespace lamella::cli {

/// This process's number in the job; 0 for one alone. Only rank 0 prints and writes.
[[nodiscard]] int job_rank();
[[nodiscard]] int job_size();

/// mpi::exchange() and mpi::broadcast(), of all processes of the job.
[[nodiscard]] std::vector<std::vector<char>> job_exchange(const std::vector<std::vector<char>>& to_each);
[[nodiscard]] std::vector<char> job_broadcast(std::vector<char> of_rank_0);

/// lamella::sweep_file(), by all processes of the job.
[[nodiscard]] SweepReport distributed_sweep(const std::filesystem::path& jobs, const std::filesystem::path& answers,
                                            const SweepFileOptions& options);

/// lamella::find_clashes() of the source's assembly, by all processes of the job.
[[nodiscard]] mpi::GatheredClashes distributed_clash(const mpi::PartSource& source, const ClashOptions& options,
                                                     const mpi::ShareOptions& share);

/// So many parts of the source, without meshes, that idle_rules() says of them what it says of all: one for each set of
/// the rules, and for each name, group and layer, as long as there are few of them. Stops at the first part where that
/// is settled; else goes through the whole source.
[[nodiscard]] inline Assembly parts_that_rules_meet(const mpi::PartSource& source,
                                                    const std::vector<ClashRule>& rules) {
  constexpr std::size_t kMostWords = 20'001;  // beyond which idle_rules() names no other word
  std::set<std::string> unmet, names, groups, layers;
  for (const ClashRule& rule : rules) unmet.insert({rule.a, rule.b});
  const auto is_new = [&](std::set<std::string>& words, const std::string& word) {
    return words.size() < kMostWords && words.insert(word).second;
  };
  Assembly some;
  for (std::uint64_t i = 0; i < source.part_count && !unmet.empty(); ++i) {
    AssemblyPart part = source.part(i);
    const bool met = std::erase_if(unmet, [&](const std::string& set) { return is_in_clash_set(set, part); }) != 0;
    const bool name = is_new(names, part.name), group = is_new(groups, part.group), layer = is_new(layers, part.layer);
    if (met || name || group || layer) some.parts.push_back(std::move(part));
  }
  return some;
}

/// main() of either program.
int run_program(int argc, char** argv);

}  // namespace lamella::cli
