#pragma once

#include "cli/clash/input.hpp"

namespace lamella::cli {

/// load_assembly() of files by all processes of an MPI job, collective. Rank 0 lists folders and reads the scene file;
/// each mesh file is read by one process; rank 0 makes the parts from their names and counts. Meshes stay where they
/// were read, unless that process would have more than its share. So a process has its share of parts and meshes, and
/// while it reads, one whole file. An Error is thrown on all, with the message that one process would have.
[[nodiscard]] ClashInput load_shared(const ClashInputArgs& args);

}  // namespace lamella::cli
