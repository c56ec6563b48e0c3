// Stands in for bench/ where the program is built without it.

#include "cli/subcommands.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

void add_bench(const Command& app, int&) {
  const Command bench = app.add_subcommand("bench", "Benchmarks; this program was built without them");
  bench.ignore_arguments();
  bench.callback([] {
    throw Error("this program was built without benchmarks; to have them, configure with -DLAMELLA_BENCH=ON and build");
  });
}

}  // namespace lamella::cli
