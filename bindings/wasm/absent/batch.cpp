// In place of the library's own, for lamella-engine: batches, whose function is refused there by its name.

#include "engines/software/engines.hpp"
#include "lamella/error.hpp"

namespace lamella::software {

std::unique_ptr<CpuBatch> make_batch_engine(const EngineOptions&, const QueryOptions&) {
  throw Error("batches: not in the smaller module");
}

}  // namespace lamella::software
