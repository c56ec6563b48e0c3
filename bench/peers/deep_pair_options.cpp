#include "bench/peers/deep_pair_options.hpp"

#include "cli/options.hpp"

namespace lamella::bench::peers {

void add_deep_pair_options(const cli::Command& command, DeepPairArgs& args) {
  command.add_option("--meshes", args.meshes, "folder of meshes; models when not given").type_name("DIR");
  cli::add_count(command, "--pairs", 1, 1'000'000, args.pairs, "random deep pairs");
  cli::add_count(command, "--first", 0, 1'000'000'000, args.first,
                 "number of the first of them: others are other pairs");
  cli::add_threads_option(command, args.threads);
  command.add_flag("--json", args.json, "one object per line");
}

}  // namespace lamella::bench::peers
