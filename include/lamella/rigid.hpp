#pragma once

#include <string>
#include <vector>

#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// A mesh that moves but never deforms, sampled once in its own frame (Engine::sample_rigid). The queries that take it
/// (Engine::contains, Engine::vertices_inside) only look points up: they place the points in the mesh's frame, in
/// double, rounded once. So a pose changes no sample. TR 395 names this for rigid objects: its stages 1 and 2, box and
/// LDI, are computed in advance.
///
/// Any engine can query it, and several threads may, each with an engine of its own.
struct RigidMesh {
  Vec3d origin{};                     ///< what `ldi`, `vertices` and `bounds` are relative to: MeshView::origin
  Ldi ldi;                            ///< of the mesh's whole box; zero columns when the box encloses no volume
  std::vector<Vec3> vertices;         ///< in the mesh's frame, to be looked up in other meshes
  std::vector<Triangle> triangles;    ///< with QueryOptions::exact; else empty
  bool on_lattice = false;            ///< Engine::samples_on_lattice() of the engine that sampled it
  Aabb bounds;                        ///< of the finite vertices
  Health health;                      ///< of `ldi`
  Timings ms;                         ///< what sampling took: `voi` and `ldi`
  std::uint64_t read_back_bytes = 0;  ///< fetched from a GPU for the LDI
  std::string engine;                 ///< name of the engine that sampled it
};

}  // namespace lamella
