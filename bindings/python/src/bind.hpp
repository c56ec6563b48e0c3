#pragma once

// What module.cpp is made of: one function for each subject, in the order in which they must be called.

#include <mutex>
#include <utility>

#include "casters.hpp"

namespace lamella::python {

void bind_mesh(py::module_& m);           ///< Transform, Mesh, files, reports, repair
void bind_models(py::module_& m);         ///< built-in models
void bind_options(py::module_& m);        ///< Options, Tolerance, GradientOptions
void bind_results(py::module_& m);        ///< Health to Overlap and its kin
void bind_query(py::module_& m);          ///< the one-off queries, engines
void bind_detector(py::module_& m);       ///< Detector
void bind_batch(py::module_& m);          ///< Batch
void bind_sweep(py::module_& m);          ///< sweeps from files
void bind_named_sweep(py::module_& m);    ///< Sweep
void bind_separation(py::module_& m);     ///< separation, sweep, free shifts
void bind_solid(py::module_& m);          ///< the overlap as one surface
void bind_distance(py::module_& m);       ///< distance, closest
void bind_scene(py::module_& m);          ///< Scene, through the next one
void bind_scene_results(py::module_& m);  ///< SceneResult and its parts
void bind_response(py::module_& m);       ///< RigidWorld, mass_properties
void bind_contact(py::module_& m);        ///< ParticlePushOut, VolumeContact
void bind_images(py::module_& m);         ///< geometry images
void bind_collider(py::module_& m);       ///< bodies of geometry images, ImageCollider, ImageScene
void bind_clash(py::module_& m);          ///< find_clashes, through the next one
void bind_clash_results(py::module_& m);  ///< ClashReport and its parts
void bind_ldi(py::module_& m);            ///< layered depth images, volumes of interest, closures
void bind_poses(py::module_& m);          ///< a pair at many poses, for lamella/torch.py
void bind_cuda(py::module_& m);           ///< queries of arrays on a GPU

/// An object of the library, which is for one thread at a time, behind a lock: Python's threads may share it. Take the
/// lock without the GIL, for whoever holds it may be waiting for the GIL.
template <class T>
struct Locked {
  template <class... Args>
  explicit Locked(Args&&... args) : object(std::forward<Args>(args)...) {}

  T object;
  std::mutex mutex;
};

}  // namespace lamella::python
