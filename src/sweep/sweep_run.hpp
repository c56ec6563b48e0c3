#pragma once

// What a sweep on one process and one on several have in common.

#include <chrono>

#include "lamella/error.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::sweep_parts {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the meshes of these jobs are read with.
[[nodiscard]] inline MeshLoader loader_of(const std::filesystem::path& jobs, const SweepFileOptions& options) {
  if (options.load) return options.load;
  return [jobs, files = options.files](const std::string& name) { return read_mesh(job_mesh_path(jobs, name, files)); };
}

/// Does the work, which writes answers, and saves them, also where it fails. `start`: of the sweep.
template <class Work>
SweepReport run_and_save(SweepFiles& files, Clock::time_point start, const Work& work) {
  try {
    work();
  } catch (...) {
    // What failed is what the caller is told. Where the disk failed, this does nothing: the last checkpoint stays.
    try {
      files.save();
    } catch (const Error&) {
    }
    throw;
  }
  files.save();
  SweepReport report = files.report();
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace lamella::sweep_parts
