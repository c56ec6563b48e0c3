// Sweep: pairs of meshes that have names and are read when a pair first needs them.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <unordered_map>

#include "bind.hpp"
#include "collection.hpp"
#include "inputs.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/mesh_io.hpp"
#include "models.hpp"
#include "pair_answers.hpp"
#include "pair_inputs.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

/// Jobs between two looks for Ctrl-C, where the engine does not say how many.
constexpr std::size_t kBlock = 4096;

/// A Sweep that numbers meshes by their names.
class NamedSweep {
 public:
  /// `load`: gives the mesh of a name; None: names are paths of files, or built-in models.
  NamedSweep(const Options& options, py::object load, std::uint64_t mesh_memory)
      : load_(std::move(load)),
        sweep_(
            options, [this](const std::string& name) { return mesh_of(name); }, mesh_memory) {}

  [[nodiscard]] const Options& options() const { return sweep_.options(); }

  std::uint32_t number_of(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) sweep_.add_meshes({&name, 1});
    return at->second;
  }

  /// Of jobs with numbers. `report(done)` is called after each block.
  template <class Report>
  void answer(std::span<const PairJob> jobs, std::vector<PairOverlap>& out, const Report& report) {
    const std::size_t most = sweep_.block_unit() == 1 ? kBlock : sweep_.block_unit();
    JobBlock block;
    std::vector<PairOverlap> answers;
    while (block.first < jobs.size()) {
      const auto some = jobs.subspan(block.first, std::min<std::size_t>(most, jobs.size() - block.first));
      block.jobs.assign(some.begin(), some.end());
      sweep_.answer(block, answers);
      out.insert(out.end(), answers.begin(), answers.end());
      block.first += some.size();
      report(block.first);
    }
  }

  [[nodiscard]] bool is_loading_here() const { return loading_ == std::this_thread::get_id(); }

  // For Python's collector of cycles: `load` is often a method of an object that keeps the sweep.
  [[nodiscard]] py::object& load() { return load_; }

 private:
  Mesh mesh_of(const std::string& name) {
    if (load_.is_none()) return is_model(name) ? make_model(name) : read_mesh(name);
    const py::gil_scoped_acquire acquire;
    loading_ = std::this_thread::get_id();
    struct Done {
      std::atomic<std::thread::id>& loading;
      ~Done() { loading = std::thread::id(); }
    } const done{loading_};
    return rounded(MeshInput(load_(name), name.c_str()).view());
  }

  py::object load_;
  std::atomic<std::thread::id> loading_{};
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Sweep sweep_;
};

using SharedSweep = Locked<NamedSweep>;

py::object& load_of(SharedSweep& sweep) { return sweep.object.load(); }

bool is_path(py::handle source) { return py::hasattr(source, "__fspath__"); }

/// Of a str, or of a path: not by str(), which of an os.DirEntry is no path.
std::string name_of(py::handle source) {
  return is_path(source) ? source.cast<std::filesystem::path>().string() : source.cast<std::string>();
}

/// A name for all pairs, or one for each.
std::vector<std::string> names_of(py::handle source, const char* what) {
  if (py::isinstance<py::str>(source) || is_path(source)) return {name_of(source)};
  std::vector<std::string> out;
  try {
    for (const py::handle name : py::iter(source)) out.push_back(name_of(name));
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(what) +
                         ": names of meshes are a str or a path, or a sequence with one for each pair");
  }
  return out;
}

std::shared_ptr<PairOverlaps> answer(SharedSweep& self, py::handle a, py::handle b, py::handle pose_a,
                                     py::handle pose_b, const py::object& resolution, const py::object& progress) {
  if (self.object.is_loading_here()) throw Error("`load` of a Sweep cannot ask the same Sweep");
  const auto names_a = names_of(a, "a"), names_b = names_of(b, "b");
  const auto poses_a = one_or_more_poses(pose_a), poses_b = one_or_more_poses(pose_b);
  const std::size_t count = common_count(
      {{"a", names_a.size()}, {"b", names_b.size()}, {"pose_a", poses_a.size()}, {"pose_b", poses_b.size()}});
  const auto resolutions = resolutions_of(resolution, count);
  const auto of = [](const auto& given, std::size_t i) -> auto& { return given[given.size() == 1 ? 0 : i]; };
  const Progress shown(progress, "pairs");
  const auto report = shown.callback();
  auto out = std::make_shared<PairOverlaps>();
  released([&] {
    const std::scoped_lock lock(self.mutex);
    std::vector<PairJob> jobs(count);
    for (std::size_t i = 0; i < count; ++i)
      jobs[i] = {self.object.number_of(of(names_a, i)), self.object.number_of(of(names_b, i)), resolutions[i],
                 of(poses_a, i), of(poses_b, i)};
    self.object.answer(jobs, out->pairs, [&](std::size_t done) { report(done, count); });
  });
  return out;
}

}  // namespace

void bind_named_sweep(py::module_& m) {
  py::class_<SharedSweep>(m, "Sweep", py::custom_type_setup(&set_up_collection<SharedSweep, load_of>),
                          R"(Blocks of pairs whose meshes have names, for sweeps that make their own jobs.

A mesh is read when a pair first needs it, and kept. When all meshes take more than `mesh_memory` bytes they are
forgotten, and read again as pairs need them; one that has changed meanwhile is an Error. So memory is that of one block
and of the meshes. Names are paths of files, or "model:NAME"; with `load`, they are what load(name) gives a mesh for.

For pairs in a file, and answers in another that survives a crash: sweep_file.

>>> import lamella
>>> sweep = lamella.Sweep(resolution=64)
>>> for shift in (0.5, 1, 3):
...     print(sweep.answer("model:box", "model:box", pose_b=[(shift, 0, 0), (0, shift, 0)]).volume)
[6. 6.]
[4. 4.]
[0. 0.])")
      .def(py::init([](const py::object& options, const py::object& load, std::uint64_t mesh_memory,
                       const py::kwargs& keywords) {
             if (!load.is_none() && PyCallable_Check(load.ptr()) == 0)
               throw py::type_error("load: expected a function that takes a name and gives a mesh");
             const auto asked = options_of<Options>(options, keywords);
             return std::make_unique<SharedSweep>(asked, load, mesh_memory);
           }),
           py::arg("options") = py::none(), py::kw_only(), py::arg("load") = py::none(),
           py::arg("mesh_memory") = kSweepMeshMemory)
      .def("answer", &answer, py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(),
           py::arg("pose_b") = py::none(), py::kw_only(), py::arg("resolution") = py::none(),
           py::arg("progress") = py::none(),
           "One answer for each pair, those of Batch.intersect. `a` and `b`: a name, or a sequence with one for each "
           "pair; poses as there. `resolution`: one, or one for each pair, in place of the sweep's own.")
      .def_property_readonly(
          "options", [](const SharedSweep& self) { return self.object.options(); },
          "with the engine that answers in place of \"automatic\"")
      .def("__repr__", [](py::handle self) {
        return "<lamella.Sweep: " + py::repr(self.attr("options")).cast<std::string>() + ">";
      });
}

}  // namespace lamella::python
