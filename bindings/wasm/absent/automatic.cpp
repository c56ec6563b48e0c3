// In place of the library's own: "automatic" without a GPU to choose.

#include "registry/automatic.hpp"

#include "engines/opengl/engines.hpp"
#include "engines/software/engines.hpp"

namespace lamella {
namespace {

void refuse_device(const EngineOptions& options) {
  if (options.device) opengl::require_device(*options.device);
}

}  // namespace

std::unique_ptr<Engine> make_automatic_engine(const EngineOptions& options, EngineFactory, const GpuSpeed&) {
  refuse_device(options);
  return software::make_engine(options);
}

std::unique_ptr<BatchEngine> make_automatic_batch(const EngineOptions& engine, const QueryOptions& query,
                                                  BatchFactory) {
  refuse_device(engine);
  return software::make_batch_engine(engine, query);
}

std::string_view engine_for_large_batches() { return "software"; }

}  // namespace lamella
