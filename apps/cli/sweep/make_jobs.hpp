#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lamella::cli {

/// Random placements of meshes, as a file of jobs to try a sweep on: each job takes two of them, different ones where
/// there are several, turned at random, and so far apart that most collide. A signal ends it without a file. Returns an
/// exit status.
int make_jobs(const std::vector<std::string>& meshes, std::uint32_t count, std::uint32_t seed,
              const std::filesystem::path& out);

}  // namespace lamella::cli
