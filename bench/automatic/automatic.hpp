#pragma once

#include <optional>
#include <string>

namespace lamella::cli {

struct AutomaticArgs {
  std::string engine = "gl-lists";  ///< to compare the software engine with
  std::optional<unsigned> device;
  bool json = false;
};

/// Prints what the engine "automatic" rests on: the time of a query by faces and resolution, on the CPU and on a GPU.
void bench_automatic(const AutomaticArgs& args);

}  // namespace lamella::cli
