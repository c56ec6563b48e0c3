// Sweeps: millions of pairs from a file to a file.

#include <atomic>

#include "bind.hpp"
#include "lamella/job_sweep.hpp"
#include "lamella/mesh_io.hpp"
#include "models.hpp"
#include "pair_inputs.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

SweepReport sweep(const std::filesystem::path& jobs, const std::filesystem::path& answers, const py::object& given,
                  bool restart, bool any_path, double checkpoint_seconds, std::uint64_t mesh_memory,
                  const py::object& progress, const py::kwargs& keywords) {
  SweepFileOptions options{.query = options_of<Options>(given, keywords), .restart = restart};
  options.checkpoint_seconds = checkpoint_seconds;
  options.mesh_memory = mesh_memory;
  const JobFiles files = any_path ? JobFiles::anywhere : JobFiles::in_its_folder;
  options.load = [&](const std::string& name) {
    return is_model(name) ? make_model(name) : read_mesh(job_mesh_path(jobs, name, files));
  };
  // Python is called, and Ctrl-C noticed, on this thread alone: progress comes from another one.
  const Progress shown(progress, "jobs");
  const auto report = shown.callback();
  std::atomic<std::uint64_t> done = 0, total = 0;
  options.progress = [&](const SweepProgress& now) {
    done = now.bytes;
    total = now.bytes_in_all;
  };
  options.stop = [&] {
    report(done, total);
    return false;
  };
  return released([&] {
    const SweepReport out = sweep_file(jobs, answers, options);
    report(total, total);
    return out;
  });
}

void write(const std::filesystem::path& path, const std::vector<std::string>& meshes, py::handle a, py::handle b,
           py::handle pose_a, py::handle pose_b, const py::object& resolution) {
  const std::vector<BatchPair> pairs = pairs_of(a, b, pose_a, pose_b);
  const std::vector<std::uint32_t> resolutions = resolutions_of(resolution, pairs.size());
  released([&] {
    JobWriter writer(path, meshes, !resolution.is_none());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      writer.add({pairs[i].a.number, pairs[i].b.number, resolutions[i], pairs[i].pose_a, pairs[i].pose_b});
    writer.commit();
  });
}

}  // namespace

void bind_sweep(py::module_& m) {
  Record<SweepReport>(m, "SweepReport", "What lamella.sweep_file did.")
      .field("complete", &SweepReport::complete, "every job is answered")
      .value(
          "answers", [](const SweepReport& r) { return r.counts.answers(); }, "in the file")
      .field("resumed", &SweepReport::resumed, "of these, answers that were there already")
      .value(
          "clear", [](const SweepReport& r) { return r.counts.clear; }, "answers that say so")
      .value(
          "colliding", [](const SweepReport& r) { return r.counts.colliding; }, "answers that say so")
      .value(
          "undecided", [](const SweepReport& r) { return r.counts.undecided; }, "answers that say so")
      .value(
          "not_ok", [](const SweepReport& r) { return r.counts.not_ok; }, "answers whose health is not ok")
      .field("engine", &SweepReport::engine, "that answered")
      .field("seconds", &SweepReport::seconds, "in all");
  m.def("sweep_file", &sweep, py::arg("jobs"), py::arg("answers"), py::arg("options") = py::none(), py::kw_only(),
        py::arg("restart") = false, py::arg("any_path") = false, py::arg("checkpoint_seconds") = 1.0,
        py::arg("mesh_memory") = kSweepMeshMemory, py::arg("progress") = py::none(),
        R"(Answers the pairs of a file of jobs, and appends the answers to another, .csv or .jsonl.

Continues where an earlier call ended, however it ended: the file is byte for byte that of a call that was never
interrupted. Where answered jobs, their meshes or options changed, lamella.Error is raised; `restart` starts over. Ctrl-C
ends it, with the answers so far on the disk. Memory does not depend on the number of jobs: meshes take about
`mesh_memory` bytes at most, else they are forgotten, and read again as jobs need them. See docs/sweeps.md.

For pairs that a program makes there is lamella.Sweep. Not to be confused with lamella.sweep, which moves a mesh until
it touches another.

>>> import lamella, os, tempfile
>>> folder = tempfile.mkdtemp()
>>> jobs, answers = os.path.join(folder, "jobs.csv"), os.path.join(folder, "answers.csv")
>>> lamella.write_jobs(jobs, ["model:box"], 0, 0, pose_b=[(0, 0, 0), (1, 0, 0), (3, 0, 0)])
>>> lamella.sweep_file(jobs, answers, resolution=64).colliding
2)");
  m.def("write_jobs", &write, py::arg("path"), py::arg("meshes"), py::arg("a"), py::arg("b"),
        py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(), py::kw_only(),
        py::arg("resolution") = py::none(),
        R"(Writes a file of jobs for sweep_file: .csv, .jsonl, .ndjson, or .jobs (binary, the quickest to read).

`meshes`: names as the file has them: paths from its folder, or "model:NAME". `a` and `b` are indices into them. Those,
and poses, as in Batch.intersect. `resolution`: one, or one for each job, in place of the sweep's own.)");
}

}  // namespace lamella::python
