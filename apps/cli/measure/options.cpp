#include "cli/measure/options.hpp"

#include "cli/memory.hpp"
#include "cli/repair_input.hpp"

namespace lamella::cli {

void add_measure_options(const Command& command, MeasureArgs& args, const std::string& what) {
  command.options_under("Input");
  add_threads_option(command, args.threads);
  add_memory_option(command);
  add_repair_option(command);
  command.options_under("Answer");
  command.add_flag("--json", args.json, "one JSON object on stdout");
  command.add_flag("--exit-zero", args.exit_zero, "exit status 0 whenever there is an answer");
  add_picture_options(command, args.picture, what);
}

}  // namespace lamella::cli
