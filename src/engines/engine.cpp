#include "lamella/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engines/reference.hpp"
#include "engines/software/kernels.hpp"
#include "engines/software/software.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

/// An engine as the library knows it; the list below is walked in order by "automatic".
struct Entry {
  std::string_view name;
  std::string (*summary)();
  /// Empty when the engine can be made here, otherwise why not.
  std::string (*unavailable)();
  std::unique_ptr<Engine> (*make)(const Options&);
};

const Entry kEntries[] = {
    {"software", [] { return fmt::format("vectorised rasteriser on the CPU ({})", software::instruction_set()); },
     [] { return std::string(); },
     [](const Options& o) { return software::make_software_engine(o.threads, o.max_crossings); }},
    {"reference",
     [] { return std::string("brute force in exact arithmetic on the CPU; slow, for checking the others"); },
     [] { return std::string(); }, [](const Options&) { return make_reference_engine(); }},
};

}  // namespace

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> infos;
  for (const Entry& e : kEntries) {
    const std::string why = e.unavailable();
    infos.push_back({std::string(e.name), e.summary(), why.empty(), why});
  }
  return infos;
}

std::unique_ptr<Engine> make_engine(const Options& options) {
  const bool automatic = options.engine == "automatic";
  for (const Entry& e : kEntries) {
    if (!automatic && e.name != options.engine) continue;
    const std::string why = e.unavailable();
    if (why.empty()) return e.make(options);
    if (!automatic) throw Error(fmt::format("engine {} is not available here: {}", e.name, why), Error::Kind::device);
  }
  std::vector<std::string_view> names;
  for (const Entry& e : kEntries) names.push_back(e.name);
  throw Error(
      fmt::format("there is no engine \"{}\"; use one of: automatic, {}", options.engine, fmt::join(names, ", ")));
}

}  // namespace lamella
