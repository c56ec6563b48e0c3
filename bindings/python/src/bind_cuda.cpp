// Queries of arrays on a GPU, by address: lamella/cuda.py finds addresses and keeps the arrays alive.

#include "arrays.hpp"
#include "bind.hpp"
#include "inputs.hpp"
#include "lamella/cuda.hpp"
#include "pose_gradients.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using Address = std::uintptr_t;
/// Rows: address of the positions, number of vertices, address of the triangles, number of triangles.
using MeshRows = py::array_t<std::uint64_t, py::array::c_style>;

cuda::Stream stream_at(Address address) { return reinterpret_cast<cuda::Stream>(address); }
template <class T>
Address address_of(const T* pointer) {
  return reinterpret_cast<Address>(pointer);
}

cuda::DeviceMesh mesh_of(const std::uint64_t* row) {
  if (row[1] > 0xffffffffu || row[3] > 0xffffffffu) throw py::value_error("a mesh has at most 2^32 - 1 vertices");
  return {reinterpret_cast<const Vec3*>(row[0]), reinterpret_cast<const Triangle*>(row[2]),
          static_cast<std::uint32_t>(row[1]), static_cast<std::uint32_t>(row[3])};
}

std::vector<cuda::DeviceMesh> meshes_of(const MeshRows& rows) {
  if (rows.ndim() != 2 || rows.shape(1) != 4) throw py::value_error("meshes must have the shape (n, 4)");
  std::vector<cuda::DeviceMesh> out;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) out.push_back(mesh_of(rows.data(i, 0)));
  return out;
}

std::vector<std::array<cuda::DeviceMesh, 2>> mesh_pairs_of(const MeshRows& rows) {
  const std::vector<cuda::DeviceMesh> meshes = meshes_of(rows);
  if (meshes.size() % 2 != 0) throw py::value_error("pairs are of two meshes each");
  std::vector<std::array<cuda::DeviceMesh, 2>> out;
  for (std::size_t i = 0; i < meshes.size(); i += 2) out.push_back({meshes[i], meshes[i + 1]});
  return out;
}

/// Where a member is in its struct, also of structs that are not of standard layout.
template <class T>
class Offsets {
 public:
  template <class Member>
  [[nodiscard]] std::size_t of(const Member& member) const {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                    reinterpret_cast<const std::byte*>(&object));
  }
  T object{};
};

struct Listed {
  std::vector<Member> members;

  /// What BodyOverlap and PairOverlap have.
  template <class T>
  void add_overlap(const Offsets<T>& at) {
    const auto& o = at.object;
    const Health& h = o.health;
    members.insert(members.end(), {{"verdict", "u1", at.of(o.verdict)},
                                   {"volume", "f8", at.of(o.volume)},
                                   {"volume_error", "f8", at.of(o.volume_error)},
                                   {"centroid", "3f8", at.of(o.centroid)},
                                   {"span_count", "u4", at.of(o.span_count)},
                                   {"open_columns", "u4", at.of(h.open_columns)},
                                   {"occupied_columns", "u4", at.of(h.occupied_columns)},
                                   {"inside_out_columns", "u4", at.of(h.inside_out_columns)},
                                   {"skipped_triangles", "u4", at.of(h.skipped_triangles)},
                                   {"uncertain_spans", "u8", at.of(h.uncertain_spans)},
                                   {"untrusted_volume", "f8", at.of(h.untrusted_volume)}});
  }
  template <class T>
  void add_sums(const Offsets<T>& at, const GradientSums& s) {
    members.insert(members.end(), {{"translation_a", "3f8", at.of(s.a.translation)},
                                   {"rotation_a", "3f8", at.of(s.a.rotation)},
                                   {"translation_b", "3f8", at.of(s.b.translation)},
                                   {"rotation_b", "3f8", at.of(s.b.rotation)},
                                   {"moments", "(3,3)f8", at.of(s.moments)},
                                   {"inner_area_a", "f8", at.of(s.inner_a.area)},
                                   {"inner_area_b", "f8", at.of(s.inner_b.area)}});
  }
  [[nodiscard]] py::dtype type(std::size_t size) const {
    py::list names, formats, offsets;
    for (const Member& m : members) {
      names.append(m.name);
      formats.append(m.format);
      offsets.append(m.offset);
    }
    return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
  }
};

static_assert(sizeof(Verdict) == 1);

const py::dtype& dtype_of(const cuda::BodyOverlap*) {
  return kept_dtype([] {
    const Offsets<cuda::BodyOverlap> at;
    Listed listed;
    listed.add_overlap(at);
    return listed.type(sizeof(at.object));
  });
}
const py::dtype& dtype_of(const PairOverlap*) {
  return kept_dtype([] {
    const Offsets<PairOverlap> at;
    Listed listed;
    listed.add_overlap(at);
    return listed.type(sizeof(at.object));
  });
}
const py::dtype& dtype_of(const PairGradient*) {
  return kept_dtype([] {
    const Offsets<PairGradient> at;
    Listed listed;
    listed.add_overlap(at);
    listed.add_sums(at, at.object.sums);
    return listed.type(sizeof(at.object));
  });
}
const py::dtype& dtype_of(const GradientSums*) {
  return kept_dtype([] {
    const Offsets<GradientSums> at;
    Listed listed;
    listed.add_sums(at, at.object);
    return listed.type(sizeof(at.object));
  });
}

/// A structured array of its own: answers belong to the batch until its next launch.
template <class T>
py::array copied(std::span<const T> answers) {
  return py::array(dtype_of(static_cast<const T*>(nullptr)), {answers.size()}, {sizeof(T)}, answers.data());
}

/// Bits of pose_gradients.hpp for each answer.
template <class T>
py::array doubts_of(std::span<const T> answers) {
  py::array_t<std::uint32_t> out(static_cast<py::ssize_t>(answers.size()));
  std::uint32_t* bits = out.mutable_data();
  for (std::size_t i = 0; i < answers.size(); ++i) bits[i] = doubt_bits(answers[i].verdict, answers[i].health);
  return out;
}

using SharedQuery = Locked<cuda::Query>;

template <class Make>
std::unique_ptr<SharedQuery> make_query(const Make& make) {
  return released([&] { return std::make_unique<SharedQuery>(make()); });
}

void bind_device_query(py::module_& m) {
  Record<cuda::Answer>(m, "Answer", "The result of a frame, without spans and flags.")
      .field("verdict", &cuda::Answer::verdict, "by the sums alone: undecided also where an overlap is very thin")
      .field("grid", &cuda::Answer::grid, "zero columns when there was nothing to sample")
      .field("volume", &cuda::Answer::volume, "shared, or covered more than once")
      .field("volume_error", &cuda::Answer::volume_error, "as in Overlap")
      .field("centroid", &cuda::Answer::centroid, "of that volume")
      .field("bounds", &cuda::Answer::bounds, "of the cells' prisms; None when there is none")
      .field("inside_out_volume", &cuda::Answer::inside_out_volume, "self_intersect: where the winding is below 0")
      .field("span_count", &cuda::Answer::span_count, "number of spans")
      .field("inside_out_count", &cuda::Answer::inside_out_count, "spans of winding below 0")
      .field("inside_count", &cuda::Answer::inside_count, "contains: points inside")
      .field("crossing_count", &cuda::Answer::crossing_count, "of all meshes together")
      .field("health", &cuda::Answer::health, "how far it can be trusted")
      .field("status", &cuda::Answer::status, "0, once wait() has returned");
  py::class_<SharedQuery>(m, "Query")
      .def_static(
          "intersect",
          [](const MeshRows& rows, const cuda::DeviceOptions& options, bool spans) {
            const auto meshes = meshes_of(rows);
            return make_query([&] { return cuda::Query::intersect(meshes.at(0), meshes.at(1), options, spans); });
          })
      .def_static("self_intersect",
                  [](const MeshRows& rows, const cuda::DeviceOptions& options, bool spans) {
                    const auto meshes = meshes_of(rows);
                    return make_query([&] { return cuda::Query::self_intersect(meshes.at(0), options, spans); });
                  })
      .def_static("contains",
                  [](const MeshRows& rows, Address points, std::uint32_t count, const cuda::DeviceOptions& options,
                     Address flags) {
                    const auto meshes = meshes_of(rows);
                    return make_query([&] {
                      return cuda::Query::contains(meshes.at(0), {reinterpret_cast<const Vec3*>(points), count},
                                                   options, reinterpret_cast<std::uint8_t*>(flags));
                    });
                  })
      .def("launch",
           [](SharedQuery& self, Address stream) {
             released([&] {
               const std::scoped_lock lock(self.mutex);
               self.object.launch(stream_at(stream));
             });
           })
      .def("wait",
           [](SharedQuery& self) {
             return released([&] {
               const std::scoped_lock lock(self.mutex);
               return std::make_shared<cuda::Answer>(self.object.wait());
             });
           })
      .def("device_answer", [](const SharedQuery& self) { return address_of(self.object.device_answer()); })
      .def("device_spans", [](const SharedQuery& self) { return address_of(self.object.device_spans()); })
      .def("device_inside_out", [](const SharedQuery& self) { return address_of(self.object.device_inside_out()); })
      .def("device_flags", [](const SharedQuery& self) { return address_of(self.object.device_flags()); })
      .def("device_bytes", [](const SharedQuery& self) { return self.object.device_bytes(); });
}

/// A PairBatch, with the poses of its last launch where their gradients are wanted.
struct PosedBatch {
  PosedBatch(std::span<const cuda::DeviceMesh> meshes, const cuda::DeviceOptions& options) : batch(meshes, options) {}

  cuda::PairBatch batch;
  std::optional<PosedPairs> posed;
};
using SharedPairs = Locked<PosedBatch>;

using Ids = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

std::vector<BatchPair> batch_pairs(const Ids& ids, const py::object& poses_a, const py::object& poses_b) {
  if (ids.ndim() != 2 || ids.shape(1) != 2) throw py::value_error("pairs must have the shape (n, 2)");
  const auto count = static_cast<std::size_t>(ids.shape(0));
  const auto placed = [&](const py::object& poses, const char* name) {
    std::vector<Transform> out;
    if (!poses.is_none()) out = poses_of(poses);
    if (!out.empty() && out.size() != count)
      throw py::value_error(std::string(name) + ": there must be as many poses as pairs");
    return out;
  };
  const auto at_a = placed(poses_a, "poses_a"), at_b = placed(poses_b, "poses_b");
  std::vector<BatchPair> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* id = ids.data(static_cast<py::ssize_t>(i), 0);
    out[i] = {id[0], id[1], at_a.empty() ? Transform{} : at_a[i], at_b.empty() ? Transform{} : at_b[i]};
  }
  return out;
}

void launch_pairs(SharedPairs& self, std::span<const BatchPair> pairs, bool gradients, Address stream) {
  released([&] {
    const std::scoped_lock lock(self.mutex);
    if (gradients)
      self.object.batch.launch_gradients(pairs, stream_at(stream));
    else
      self.object.batch.launch(pairs, stream_at(stream));
  });
}

/// Waits without the GIL, under the lock; makes Python's objects with both (see ask_poses() in bind_poses.cpp).
template <class Object, class Wait, class Make>
auto wait_for(Locked<Object>& self, const Wait& wait, const Make& make) {
  return released([&] {
    const std::scoped_lock lock(self.mutex);
    const auto answers = wait(self.object);
    const py::gil_scoped_acquire acquire;
    return make(answers);
  });
}

void bind_pairs(py::module_& m) {
  const auto wait = [](PosedBatch& b) { return b.batch.wait(); };
  const auto wait_gradients = [](PosedBatch& b) { return b.batch.wait_gradients(); };
  py::class_<SharedPairs>(m, "PairBatch")
      .def(py::init([](const MeshRows& rows, const cuda::DeviceOptions& options) {
        const auto meshes = meshes_of(rows);
        return released([&] { return std::make_unique<SharedPairs>(meshes, options); });
      }))
      .def("launch",
           [](SharedPairs& self, const Ids& ids, const py::object& poses_a, const py::object& poses_b, bool gradients,
              Address stream) { launch_pairs(self, batch_pairs(ids, poses_a, poses_b), gradients, stream); })
      .def("wait", [=](SharedPairs& self) { return wait_for(self, wait, &copied<PairOverlap>); })
      .def("wait_gradients", [=](SharedPairs& self) { return wait_for(self, wait_gradients, &copied<PairGradient>); })
      .def("wait_doubts",
           [=](SharedPairs& self) {
             return wait_for(self, wait, [](std::span<const PairOverlap> answers) {
               return py::make_tuple(copied(answers), doubts_of(answers));
             });
           })
      // Meshes 0 and 1 at many poses, and the gradients of the poses.
      .def(
          "ask_poses",
          [=](SharedPairs& self, const py::object& poses_a, const py::object& poses_b, bool gradients, Address stream) {
            const PosedPairs posed(ObjectId{0}, ObjectId{1}, poses_a, poses_b);
            launch_pairs(self, posed.pairs(), gradients, stream);
            if (gradients)
              return wait_for(self, wait_gradients,
                              [&](std::span<const PairGradient> answers) { return posed.gradients(answers); });
            return wait_for(self, wait, [&](std::span<const PairOverlap> answers) { return posed.volumes(answers); });
          })
      .def("device_answers", [](const SharedPairs& self) { return address_of(self.object.batch.device_answers()); })
      .def("device_gradients",
           [](const SharedPairs& self) { return address_of(self.object.batch.device_gradients()); });
}

/// SelfBatch and GradientBatch.
template <class Batch, class Meshes>
py::class_<Locked<Batch>> bind_bodies(py::module_& m, const char* name, const Meshes& meshes_of_rows) {
  using Shared = Locked<Batch>;
  return py::class_<Shared>(m, name)
      .def(py::init([=](const MeshRows& rows, const cuda::DeviceOptions& options, Address gradients) {
        const auto meshes = meshes_of_rows(rows);
        return released([&] { return std::make_unique<Shared>(meshes, options, reinterpret_cast<Vec3*>(gradients)); });
      }))
      .def("launch",
           [](Shared& self, Address stream) {
             released([&] {
               const std::scoped_lock lock(self.mutex);
               self.object.launch(stream_at(stream));
             });
           })
      .def("wait",
           [](Shared& self) {
             return wait_for(
                 self, [](Batch& b) { return b.wait(); }, &copied<cuda::BodyOverlap>);
           })
      .def("wait_doubts",
           [](Shared& self) {
             return wait_for(
                 self, [](Batch& b) { return b.wait(); },
                 [](std::span<const cuda::BodyOverlap> answers) {
                   return py::make_tuple(copied(answers), doubts_of(answers));
                 });
           })
      .def("device_answers", [](const Shared& self) { return address_of(self.object.device_answers()); })
      .def("device_gradients", [](const Shared& self) { return address_of(self.object.device_gradients()); });
}

}  // namespace

void bind_cuda(py::module_& parent) {
  py::module_ m = parent.def_submodule("_cuda", "Queries of arrays on a GPU, by address; use lamella.cuda.");
  m.def(
      "unavailable", [] { return released([] { return cuda::unavailable(); }); },
      "Empty when CUDA queries can run here, otherwise the reason why not.");
  OptionsClass<cuda::DeviceOptions>(m, "DeviceOptions", "Options of queries on arrays on a GPU, as in Options.")
      .field("resolution", &cuda::DeviceOptions::resolution, "columns and rows of the grid")
      .field("axis", &cuda::DeviceOptions::axis, "of the rays; None: the one with the shallowest box")
      .field("device", &cuda::DeviceOptions::device, "which GPU; None: the first that works")
      .field("strict", &cuda::DeviceOptions::strict, "a result whose health is not ok becomes an Error")
      .field("min_thickness", &cuda::DeviceOptions::min_thickness,
             "spans not longer than this fraction of the box's depth do not count")
      .field("max_crossings", &cuda::DeviceOptions::max_crossings, "most crossings of a mesh");
  bind_device_query(m);
  bind_pairs(m);
  bind_bodies<cuda::SelfBatch>(m, "SelfBatch", &meshes_of);
  bind_bodies<cuda::GradientBatch>(m, "GradientBatch", &mesh_pairs_of)
      .def("sums", [](const Locked<cuda::GradientBatch>& self) { return copied(self.object.sums()); });
}

}  // namespace lamella::python
