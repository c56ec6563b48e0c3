#include "lamella/batch.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "bind.hpp"
#include "columns.hpp"
#include "inputs.hpp"
#include "pair_answers.hpp"
#include "pair_inputs.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

using SharedBatch = Locked<Batch>;

// Between chunks Ctrl-C is honoured and progress reported. They are large enough to keep all threads, or a GPU, busy;
// as long as they are quick they double.
constexpr std::size_t kFirstChunk = 1024, kFirstChunkOfGpu = 16384;
constexpr double kQuickSeconds = 0.1;

/// The same Error for pairs of which `skipped` were asked before: the library counts from the first of a call.
Error renumbered(const Error& e, std::size_t skipped) {
  constexpr std::string_view kStart = "pair ";
  const std::string_view text = e.what();
  std::size_t number = 0;
  const char* digits = text.data() + kStart.size();
  if (!text.starts_with(kStart)) return e;
  const auto [end, error] = std::from_chars(digits, text.data() + text.size(), number);
  if (error != std::errc{}) return e;
  return Error(fmt::format("{}{}{}", kStart, number + skipped, end), e.kind());
}

template <class Pair, class Ask>
std::shared_ptr<Answers<Pair>> ask_in_chunks(SharedBatch& self, const std::vector<BatchPair>& pairs,
                                             const py::object& progress, const Ask& ask) {
  const Progress shown(progress, "pairs");
  const auto report = shown.callback();
  auto out = std::make_shared<Answers<Pair>>();
  released([&] {
    out->pairs.reserve(pairs.size());
    std::size_t chunk = self.object.options().engine == "cuda" ? kFirstChunkOfGpu : kFirstChunk;
    for (std::size_t done = 0; done < pairs.size();) {
      const std::size_t left = pairs.size() - done;
      const std::size_t count = left < chunk + chunk / 2 ? left : chunk;  // no small rest
      const auto start = std::chrono::steady_clock::now();
      try {
        const std::scoped_lock lock(self.mutex);
        const std::span<const Pair> answers = ask(self.object, std::span(pairs).subspan(done, count));
        out->pairs.insert(out->pairs.end(), answers.begin(), answers.end());
      } catch (const Error& e) {
        throw renumbered(e, done);
      }
      done += count;
      report(done, pairs.size());
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < kQuickSeconds) chunk *= 2;
    }
  });
  return out;
}

std::shared_ptr<PairOverlaps> intersect_pairs(SharedBatch& self, const std::vector<BatchPair>& pairs,
                                              const py::object& progress) {
  return ask_in_chunks<PairOverlap>(self, pairs, progress,
                                    [](Batch& b, std::span<const BatchPair> some) { return b.intersect(some); });
}
std::shared_ptr<PairGradients> differentiate_pairs(SharedBatch& self, const std::vector<BatchPair>& pairs,
                                                   const py::object& progress) {
  return ask_in_chunks<PairGradient>(
      self, pairs, progress, [](Batch& b, std::span<const BatchPair> some) { return b.volume_gradients(some); });
}

/// Adds an array with what `member` refers to of every pair.
template <class Number, class Pair, class Get>
void add_column(Record<Answers<Pair>>& record, const char* name, std::vector<py::ssize_t> inner, const Get& member,
                const char* doc) {
  record.array(
      name,
      [member, inner](const Answers<Pair>& answers, py::handle owner) {
        return column_of<Number>(answers.pairs, member, inner, owner);
      },
      doc);
}

template <class Pair>
void add_overlap_columns(Record<Answers<Pair>>& record) {
  using One = const Pair&;
  add_column<std::uint8_t>(
      record, "verdict", {}, [](One p) -> auto& { return p.verdict; }, "uint8: 0 clear, 1 colliding, 2 undecided");
  record.value(
      "colliding", [](const Answers<Pair>& a) { return computed<bool>(a.pairs, [](One p) { return p.colliding(); }); },
      "bool: the verdict is `colliding`");
  add_column<double>(
      record, "volume", {}, [](One p) -> auto& { return p.volume; }, "shared volumes");
  add_column<double>(
      record, "volume_error", {}, [](One p) -> auto& { return p.volume_error; }, "as in Overlap");
  add_column<double>(
      record, "centroid", {3}, [](One p) -> auto& { return p.centroid; },
      "(n, 3), in world coordinates; 0 where there is none");
  add_column<float>(
      record, "bounds", {2, 3}, [](One p) -> auto& { return p.bounds; },
      "(n, 2, 3): min and max, relative to origin; min above max where there is none");
  add_column<std::uint32_t>(
      record, "span_count", {}, [](One p) -> auto& { return p.span_count; }, "intervals of rays inside both");
  add_column<bool>(
      record, "tolerance_met", {}, [](One p) -> auto& { return p.tolerance_met; }, "as in Overlap");
  add_column<bool>(
      record, "certain", {}, [](One p) -> auto& { return p.certificate.certain; },
      "with the option certify: the verdict is proved");
  add_column<double>(
      record, "origin", {3}, [](One p) -> auto& { return p.origin; }, "(n, 3): what bounds are relative to");
  record.value(
      "ok", [](const Answers<Pair>& a) { return computed<bool>(a.pairs, [](One p) { return p.health.ok(); }); },
      "bool: Health.ok");
  add_column<double>(
      record, "untrusted_volume", {}, [](One p) -> auto& { return p.health.untrusted_volume; }, "as in Health");
  record.def("__iter__", &iterator_of)
      .def("__len__", [](const Answers<Pair>& a) { return a.pairs.size(); })
      .def(
          "__getitem__",
          [](const std::shared_ptr<Answers<Pair>>& self, py::ssize_t index) {
            return item_of<Pair>(self, self->pairs, index);
          },
          py::arg("index"), "The answer for one pair.");
}

void bind_answers(py::module_& m) {
  Record<PairOverlap>(m, "PairOverlap", "The answer for one pair of a Batch: an Overlap without its spans.")
      .value(
          "colliding", [](const PairOverlap& p) { return p.colliding(); }, "the verdict is `colliding`")
      .field("verdict", &PairOverlap::verdict, "what the answer says: clear, colliding or undecided")
      .field("volume", &PairOverlap::volume, "shared")
      .field("volume_error", &PairOverlap::volume_error, "as in Overlap")
      .field("centroid", &PairOverlap::centroid, "of the shared volume, in world coordinates")
      .field("bounds", &PairOverlap::bounds, "of the cells' prisms, relative to origin; None when there is none")
      .field("span_count", &PairOverlap::span_count, "intervals of rays inside both")
      .field("grid", &PairOverlap::grid, "zero columns when the boxes share no volume")
      .field("origin", &PairOverlap::origin, "what grid and bounds are relative to")
      .field("tolerance_met", &PairOverlap::tolerance_met, "as in Overlap")
      .field("certificate", &PairOverlap::certificate, "with the option certify")
      .field("health", &PairOverlap::health, "how far it can be trusted");
  Record<PairGradient, PairOverlap>(m, "PairGradient", "The same with the gradient for rigid motions.")
      .field("sums", &PairGradient::sums, "how the volume changes when the meshes move");

  Record<PairOverlaps> overlaps(m, "PairOverlaps", R"(The answers of Batch.intersect: arrays with one row for each pair.

Arrays share the memory of the answers. `answers[i]` is the PairOverlap of one pair.)");
  add_overlap_columns<PairOverlap>(overlaps);
  Record<PairGradients> gradients(m, "PairGradients",
                                  "The answers of Batch.volume_gradients: those of PairOverlaps, and gradients.");
  add_overlap_columns<PairGradient>(gradients);
  using One = const PairGradient&;
  const auto add = [&](const char* name, std::vector<py::ssize_t> inner, const auto& member, const char* doc) {
    add_column<double>(gradients, name, std::move(inner), member, doc);
  };
  add(
      "translation_a", {3}, [](One p) -> auto& { return p.sums.a.translation; }, "volume per unit of translation of a");
  add(
      "translation_b", {3}, [](One p) -> auto& { return p.sums.b.translation; }, "volume per unit of translation of b");
  add(
      "rotation_a", {3}, [](One p) -> auto& { return p.sums.a.rotation; },
      "volume per radian of a about the world's axes through the centroid");
  add(
      "rotation_b", {3}, [](One p) -> auto& { return p.sums.b.rotation; }, "the same when b turns");
  add(
      "moments", {3, 3}, [](One p) -> auto& { return p.sums.moments; }, "second moments about the centroid");
  add(
      "inner_area_a", {}, [](One p) -> auto& { return p.sums.inner_a.area; }, "of the surface of a inside b");
  add(
      "inner_area_b", {}, [](One p) -> auto& { return p.sums.inner_b.area; }, "of the surface of b inside a");
  add(
      "inner_normal_a", {3}, [](One p) -> auto& { return p.sums.inner_a.normal; }, "the mean of its outward normals");
  add(
      "inner_normal_b", {3}, [](One p) -> auto& { return p.sums.inner_b.normal; }, "the mean of its outward normals");
}

}  // namespace

void bind_batch(py::module_& m) {
  bind_answers(m);
  py::class_<SharedBatch>(m, "Batch", R"(Thousands of pairs in one call: parameter sweeps, grasps, assemblies.

Meshes are kept, and each pair places them by its own poses. Ids and poses are single ones or arrays, one for each pair.

>>> import lamella, numpy
>>> batch = lamella.Batch(resolution=64)
>>> box = batch.add(lamella.model("box"))
>>> shifts = numpy.array([(0, 0, 0), (1, 0, 0), (3, 0, 0)])
>>> batch.intersect(box, box, pose_b=shifts).volume
array([8., 4., 0.]))")
      .def(py::init([](const py::object& options, const py::kwargs& keywords) {
             const auto asked = options_of<Options>(options, keywords);
             return released([&] { return std::make_unique<SharedBatch>(asked); });
           }),
           py::arg("options") = py::none())
      .def(
          "add",
          [](SharedBatch& self, py::handle mesh) {
            const MeshInput input(mesh, "mesh");
            return released({&input}, [&] {
              const std::scoped_lock lock(self.mutex);
              return self.object.add(input.view());
            });
          },
          py::arg("mesh"), "Keeps a copy of the mesh; returns its id.")
      .def(
          "deform",
          [](SharedBatch& self, ObjectId mesh, py::handle positions) {
            const FloatRows at(positions, "positions");
            released([&] {
              const std::scoped_lock lock(self.mutex);
              self.object.deform(mesh, at.rows());
            });
          },
          py::arg("mesh"), py::arg("positions"), "New positions of a mesh, as many as before.")
      .def_property_readonly("mesh_count", [](const SharedBatch& self) { return self.object.mesh_count(); })
      .def(
          "intersect",
          [](SharedBatch& self, py::handle a, py::handle b, py::handle pose_a, py::handle pose_b,
             const py::object& progress) { return intersect_pairs(self, pairs_of(a, b, pose_a, pose_b), progress); },
          py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(), py::kw_only(),
          py::arg("progress") = py::none(),
          "One answer per pair, as of lamella.intersect on the placed meshes. Ids: an int or an array of n. Poses: "
          "one, "
          "or an array (n, 7), (n, 3) or (n, 4, 4).")
      .def(
          "intersect",
          [](SharedBatch& self, py::handle pairs, const py::object& progress) {
            return intersect_pairs(self, pairs_of(pairs), progress);
          },
          py::arg("pairs"), py::kw_only(), py::arg("progress") = py::none(),
          "The same of a sequence of (a, b), (a, b, pose_a) or (a, b, pose_a, pose_b).")
      .def(
          "volume_gradients",
          [](SharedBatch& self, py::handle a, py::handle b, py::handle pose_a, py::handle pose_b,
             const py::object& progress) {
            return differentiate_pairs(self, pairs_of(a, b, pose_a, pose_b), progress);
          },
          py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(), py::kw_only(),
          py::arg("progress") = py::none(), "The same with gradients for rigid motions.")
      .def(
          "volume_gradients",
          [](SharedBatch& self, py::handle pairs, const py::object& progress) {
            return differentiate_pairs(self, pairs_of(pairs), progress);
          },
          py::arg("pairs"), py::kw_only(), py::arg("progress") = py::none(), "The same of a sequence of pairs.")
      .def_property_readonly("options", [](const SharedBatch& self) { return self.object.options(); })
      .def("__repr__", [](py::handle self) {
        return "<lamella.Batch: " + py::str(self.attr("mesh_count")).cast<std::string>() + " meshes, " +
               py::repr(self.attr("options")).cast<std::string>() + ">";
      });
}

}  // namespace lamella::python
