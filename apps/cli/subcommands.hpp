#pragma once

namespace CLI {
class App;
}

namespace lamella::cli {

// Each subcommand lives in the file of its name, registers itself with `app`, and when it ran leaves the exit status
// in `status`, which must outlive the parse. A new subcommand adds a line here and one in main.cpp.
void add_info(CLI::App& app, int& status);
void add_intersect(CLI::App& app, int& status);
void add_self(CLI::App& app, int& status);
void add_contain(CLI::App& app, int& status);
void add_engines(CLI::App& app, int& status);
void add_scene(CLI::App& app, int& status);
void add_simulate(CLI::App& app, int& status);
void add_layers(CLI::App& app, int& status);
void add_gi(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
void add_demo(CLI::App& app, int& status);

}  // namespace lamella::cli
