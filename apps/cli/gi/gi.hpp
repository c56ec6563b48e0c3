#pragma once

#include "cli/command.hpp"

namespace lamella::cli {

// The commands of `lamella gi`, each in the file of its name; they register themselves as subcommands.hpp says.
void add_gi_make(const Command& gi, int& status);
void add_gi_info(const Command& gi, int& status);
void add_gi_collide(const Command& gi, int& status);
void add_gi_picture(const Command& gi, int& status);
void add_gi_terrain(const Command& gi, int& status);

}  // namespace lamella::cli
