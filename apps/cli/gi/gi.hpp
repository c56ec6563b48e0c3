#pragma once

namespace CLI {
class App;
}

namespace lamella::cli {

// The commands of `lamella gi`, each in the file of its name; they register themselves as subcommands.hpp says.
void add_gi_make(CLI::App& gi, int& status);
void add_gi_info(CLI::App& gi, int& status);
void add_gi_collide(CLI::App& gi, int& status);
void add_gi_picture(CLI::App& gi, int& status);

}  // namespace lamella::cli
