#pragma once

#include "cli/command.hpp"

namespace lamella::cli {

// Each subcommand lives in the file of its name, registers itself with `app`, and when it ran leaves the exit status
// in `status`, which must outlive the parse. A new subcommand adds a line here and one in main.cpp.
void add_info(const Command& app, int& status);
void add_repair(const Command& app, int& status);
void add_intersect(const Command& app, int& status);
void add_self(const Command& app, int& status);
void add_depth(const Command& app, int& status);
void add_distance(const Command& app, int& status);
void add_closest(const Command& app, int& status);
void add_contain(const Command& app, int& status);
void add_vertices(const Command& app, int& status);
void add_engines(const Command& app, int& status);
void add_scene(const Command& app, int& status);
void add_sweep(const Command& app, int& status);
void add_clash(const Command& app, int& status);
void add_simulate(const Command& app, int& status);
void add_layers(const Command& app, int& status);
void add_gi(const Command& app, int& status);
void add_bench(const Command& app, int& status);
void add_models(const Command& app, int& status);
void add_demo(const Command& app, int& status);
void add_figure(const Command& app, int& status);
void add_view(const Command& app, int& status);

}  // namespace lamella::cli
