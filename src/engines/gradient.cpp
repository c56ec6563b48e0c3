// Whole queries for gradients: the checks of all engines, and the default, which says which engines have them.

#include <fmt/format.h>

#include "engines/checks.hpp"
#include "engines/query_parts.hpp"
#include "lamella/engine.hpp"

namespace lamella {

void Engine::find_gradient(MeshRef, MeshRef, const QueryOptions&, const GradientOptions&, OverlapGradient&) {
  throw Error(fmt::format("engine {} gives no gradients: use software or cuda", name()));
}

void Engine::find_self_gradient(MeshRef, const QueryOptions&, const GradientOptions&, SelfGradient&) {
  throw Error(fmt::format("engine {} gives no gradients: use software or cuda", name()));
}

void Engine::volume_gradient(MeshRef a, MeshRef b, const QueryOptions& options, const GradientOptions& parts,
                             OverlapGradient& out) {
  check_options(options);
  find_gradient(a, b, options, parts, out);
}

void Engine::self_gradient(MeshRef mesh, const QueryOptions& options, const GradientOptions& parts, SelfGradient& out) {
  check_options(options);
  find_self_gradient(mesh, options, parts, out);
}

}  // namespace lamella
