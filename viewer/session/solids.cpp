#include "lamella/solid.hpp"
#include "session/queries.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostCells = 512;  ///< along an axis

SolidOptions solid_options(const Options& options, const Request& request) {
  SolidOptions out;
  out.resolution = request.whole_or("solid_resolution", out.resolution, 1, kMostCells);
  out.threads = options.threads;
  out.max_crossings = kMostCrossings;
  out.close_holes = options.close_holes;
  return out;
}

Json to_json(const OverlapSolid& solid, PacketWriter& writer) {
  DrawnSolid surface = drawn(solid);
  return {{"positions", writer.add(std::move(surface.positions))},
          {"normals", writer.add(std::move(surface.normals))},
          {"triangles", writer.add(std::move(surface.triangles))},
          {"side", writer.add(solid.side)},
          {"origin", answer::to_json(surface.origin)},
          {"missed", solid.missed_volume},
          {"filled", solid.filled_volume},
          {"ms", solid.ms.total()}};
}

}  // namespace

Json solid_json(Object& a, Object& b, const Options& options, const Request& request, PacketWriter& writer) {
  return to_json(overlap_solid(a.placed(), b.placed(), solid_options(options, request)), writer);
}

Json self_solid_json(Object& object, const Options& options, const Request& request, PacketWriter& writer) {
  return to_json(self_overlap_solid(object.placed(), solid_options(options, request)), writer);
}

}  // namespace lamella::session
