// Clashes of an assembly: parts, options, rules, the call.

#include <atomic>
#include <filesystem>

#include "assembly_input.hpp"
#include "bind.hpp"
#include "collection.hpp"
#include "columns.hpp"
#include "inputs.hpp"
#include "lamella/clash_cache.hpp"
#include "lamella/file.hpp"
#include "progress.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

py::object& mesh_of(GivenPart& part) { return part.mesh; }

/// A cache is for one call at a time, and Python has threads, and calls in calls of `progress`.
struct SharedCache {
  explicit SharedCache(const std::filesystem::path& path) : cache(path) {}

  ClashCache cache;
  std::atomic<bool> in_use = false;
};

class CacheUse {
 public:
  explicit CacheUse(std::shared_ptr<SharedCache> shared) : shared_(std::move(shared)) {
    if (shared_ && shared_->in_use.exchange(true))
      throw Error("a ClashCache is for one call at a time, and another call uses this one");
  }
  CacheUse(const CacheUse&) = delete;
  CacheUse& operator=(const CacheUse&) = delete;
  ~CacheUse() {
    if (shared_) shared_->in_use = false;
  }

  [[nodiscard]] std::shared_ptr<ClashCache> cache() const {
    return shared_ ? std::shared_ptr<ClashCache>(shared_, &shared_->cache) : nullptr;
  }

 private:
  std::shared_ptr<SharedCache> shared_;
};

/// None, a ClashCache, or the path of one that is open for this call alone.
std::shared_ptr<SharedCache> cache_of(const py::object& given) {
  if (given.is_none()) return nullptr;
  if (py::isinstance<SharedCache>(given)) return given.cast<std::shared_ptr<SharedCache>>();
  if (!is_file_name(given)) throw py::type_error("cache: expected a ClashCache or the path of its file");
  const auto path = given.cast<std::filesystem::path>();
  return released([&] { return std::make_shared<SharedCache>(path); });
}

/// Asks Python, on the thread that called find_clashes().
std::function<bool()> stop_of(const py::object& given) {
  if (given.is_none()) return {};
  if (PyCallable_Check(given.ptr()) == 0) throw py::type_error("stop: expected a function that takes nothing");
  return [ask = given.ptr()] {
    const py::gil_scoped_acquire acquire;
    return py::bool_(py::reinterpret_borrow<py::object>(ask)()).cast<bool>();
  };
}

std::shared_ptr<ClashReport> find(const py::iterable& parts, const py::object& given, const py::object& progress,
                                  const py::object& stop, const py::object& cache, const py::kwargs& keywords) {
  auto options = options_of<ClashOptions>(given, keywords);
  const Assembly assembly = assembly_of(copies_of<GivenPart>(parts));
  const Progress shown(progress, "pairs");
  const CacheUse use(cache_of(cache));
  options.progress = shown.callback();
  options.stop = stop_of(stop);
  options.cache = use.cache();
  return released([&] { return std::make_shared<ClashReport>(find_clashes(assembly, options)); });
}

void bind_options_and_rules(py::module_& m) {
  OptionsClass<ClashRule>(m, "ClashRule", R"(What holds for the pairs of two sets of parts, given as keywords.

A set is a pattern of names ("*": any characters, "?": one), or of groups or layers: "group:PATTERN", "layer:PATTERN".
A pair matches when one part is in `a` and the other in `b`, either way round; the first rule that matches decides.)")
      .field("name", &ClashRule::name, "for reports")
      .field("a", &ClashRule::a, "a set of parts")
      .field("b", &ClashRule::b, "another")
      .field("ignore", &ClashRule::ignore, "do not test these pairs")
      .field("clearance", &ClashRule::clearance, "parts closer than this are near; None: that of the options")
      .field("allowed_depth", &ClashRule::allowed_depth, "an overlap that is not deeper is allowed")
      .field("allowed_volume", &ClashRule::allowed_volume, "an overlap that is not larger is allowed")
      .field("allow_contact", &ClashRule::allow_contact, "any overlap or contact is allowed");
  OptionsClass<ClashOptions>(m, "ClashOptions", "Options of find_clashes, given as keywords or as one object.")
      .field("engine", &ClashOptions::engine, "of the volumes: \"software\" or \"cuda\"; \"automatic\" is software")
      .field("resolution", &ClashOptions::resolution, "columns and rows for each pair, over the box that both share")
      .field("tolerance", &ClashOptions::tolerance, "as in Options")
      .field("certify", &ClashOptions::certify, "prove the verdict of every pair by exact arithmetic")
      .field("threads", &ClashOptions::threads, "0: all cores this process may use")
      .field("device", &ClashOptions::device, "which GPU")
      .field("close_holes", &ClashOptions::close_holes, "close holes by fans before sampling")
      .field("clearance", &ClashOptions::clearance, "of pairs that no rule matches, or whose rule has none")
      .field("touch", &ClashOptions::touch, "parts not farther apart, and overlaps not deeper, are touching")
      .field("way_out", &ClashOptions::way_out, "which is measured: \"none\", \"normal\" or \"shortest\"")
      .field("keep_clear", &ClashOptions::keep_clear, "also list pairs whose boxes are close and that are clear")
      .field("rules", &ClashOptions::rules, "list of ClashRule; the first that matches a pair decides")
      .field("ignored", &ClashOptions::ignored, "pairs of indices of parts that are not tested, in any order")
      .field("max_candidates", &ClashOptions::max_candidates, "pairs whose boxes are close; more are an Error");
}

void bind_part(py::module_& m) {
  py::class_<GivenPart>(m, "AssemblyPart", py::custom_type_setup(&set_up_collection<GivenPart, mesh_of>),
                        R"(A part of an assembly: a mesh at a place, with a name for rules and reports.

Parts that are given the same mesh (object, pair of arrays, or path) share it, and it is kept once.)")
      .def(py::init([](std::string name, py::object mesh, py::handle pose, std::string group, std::string layer) {
             return GivenPart{std::move(name), std::move(mesh), pose_of(pose), std::move(group), std::move(layer)};
           }),
           py::arg("name"), py::arg("mesh"), py::arg("pose") = py::none(), py::arg("group") = "", py::arg("layer") = "")
      .def_readwrite("name", &GivenPart::name, "what rules and reports call it")
      .def_property(
          "mesh", [](const GivenPart& part) { return part.mesh; },
          [](GivenPart& part, py::object mesh) { part.mesh = std::move(mesh); }, "as it was given")
      .def_property(
          "pose", [](const GivenPart& part) { return part.pose; },
          [](GivenPart& part, py::handle pose) { part.pose = pose_of(pose); }, "where the mesh is")
      .def_readwrite("group", &GivenPart::group, "for rules: \"group:NAME\"")
      .def_readwrite("layer", &GivenPart::layer, "for rules: \"layer:NAME\"")
      .def("__repr__", [](const GivenPart& part) { return "<lamella.AssemblyPart: " + printable(part.name) + ">"; })
      .def(py::pickle([](const GivenPart& p) { return py::make_tuple(p.name, p.mesh, p.pose, p.group, p.layer); },
                      [](const py::tuple& state) {
                        return GivenPart{state[0].cast<std::string>(), state[1], state[2].cast<Transform>(),
                                         state[3].cast<std::string>(), state[4].cast<std::string>()};
                      }));
}

void bind_cache(py::module_& m) {
  py::class_<SharedCache, std::shared_ptr<SharedCache>>(m, "ClashCache", R"(Answers of find_clashes in a file.

A report that was killed continues, and one of an assembly that changed tests only pairs that did. The file is created
where there is none; while the object lives it is locked, and a second process gets an Error. For one call at a time.)")
      .def(py::init([](const std::filesystem::path& path) {
             return released([&] { return std::make_shared<SharedCache>(path); });
           }),
           py::arg("path"))
      .def_property_readonly(
          "answer_count",
          [](const std::shared_ptr<SharedCache>& self) { return CacheUse(self).cache()->answer_count(); },
          "how many different ones it has");
}

}  // namespace

void bind_clash(py::module_& m) {
  bind_options_and_rules(m);
  bind_part(m);
  bind_cache(m);
  bind_clash_results(m);
  m.def("find_clashes", &find, py::arg("parts"), py::arg("options") = py::none(), py::kw_only(),
        py::arg("progress") = py::none(), py::arg("stop") = py::none(), py::arg("cache") = py::none(),
        R"(All clashes of an assembly: which parts share a volume, touch or are too close; how much, how deep, where.

`parts`: of AssemblyPart; their meshes are copied for the call. Options are keywords (see ClashOptions). Ctrl-C ends the
call. `stop` is asked now and then: when it returns True, the report ends with what is known by then, and is not
`complete`. `cache`: a ClashCache, or the path of one. See docs/clash.md for the classes and for rules.

>>> import lamella
>>> box = lamella.model("box")
>>> parts = [lamella.AssemblyPart("left", box), lamella.AssemblyPart("right", box, (1.5, 0, 0))]
>>> pair = lamella.find_clashes(parts, clearance=0.1).pairs[0]
>>> pair.kind, round(pair.volume, 3), round(pair.depth, 3)
(ClashClass.overlapping, 2.0, 0.5)
>>> rule = lamella.ClashRule(a="left", allowed_depth=0.6)
>>> lamella.find_clashes(parts, rules=[rule]).pairs[0].allowed
True)");
}

}  // namespace lamella::python
