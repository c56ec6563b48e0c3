#include "bind.hpp"
#include "columns.hpp"
#include "lamella/clash.hpp"
#include "records.hpp"

namespace lamella::python {
namespace {

py::object rule_number(std::uint32_t rule) {
  return rule == kNoRule ? py::object(py::none()) : py::object(py::int_(rule));
}

void bind_pair(py::module_& m) {
  Record<ClashRegion>(m, "ClashRegion", "A connected volume that two parts share.")
      .field("volume", &ClashRegion::volume, "how large it is")
      .field("centroid", &ClashRegion::centroid, "where it is")
      .field("min", &ClashRegion::min, "of its bounds")
      .field("max", &ClashRegion::max, "of its bounds");
  Record<ClashPair>(m, "ClashPair", "How two parts lie to each other. Everything is in world coordinates.")
      .field("a", &ClashPair::a, "index of the first part; below b")
      .field("b", &ClashPair::b, "index of the second part")
      .value(
          "rule", [](const ClashPair& p) { return rule_number(p.rule); }, "index of the rule that matches, or None")
      .field("kind", &ClashPair::kind, "the class; what it seems to be where the verdict is undecided")
      .field("verdict", &ClashPair::verdict, "whether they share a volume: clear, colliding or undecided")
      .field("certain", &ClashPair::certain, "the verdict is proved by exact arithmetic")
      .field("allowed", &ClashPair::allowed, "the rule allows this overlap")
      .field("volume", &ClashPair::volume, "shared")
      .field("volume_error", &ClashPair::volume_error, "as in Overlap")
      .field("tolerance_met", &ClashPair::tolerance_met, "as in Overlap")
      .field("distance", &ClashPair::distance, "of the surfaces; 0 where they overlap or touch")
      .field("on_a", &ClashPair::on_a, "the point of a that is nearest to b; not for parts that overlap")
      .field("on_b", &ClashPair::on_b, "the point of b that is nearest to a")
      .field("depth", &ClashPair::depth, "how far a must move along way_out until nothing overlaps")
      .field("way_out", &ClashPair::way_out, "unit; of a; 0 where there is none")
      .field("centroid", &ClashPair::centroid, "of the shared volume; else halfway between on_a and on_b")
      .field("min", &ClashPair::min, "of the bounds of the shared volume; else of on_a and on_b")
      .field("max", &ClashPair::max, "of the same bounds")
      .field("region_count", &ClashPair::region_count, "connected volumes that they share")
      .field("regions", &ClashPair::regions, "list of ClashRegion: of these the largest, at most 64")
      .field("doubts", &ClashPair::doubts, "why the verdict is undecided, or what the answer leaves out");
  bind_items<ClashPair>(m, "ClashPairs", "The pairs of a ClashReport, as a sequence.");
}

void bind_finding(py::module_& m) {
  Record<ClashFinding>(m, "ClashFinding", "Pairs of the same two meshes, class and rule.")
      .field("mesh_a", &ClashFinding::mesh_a, "number of a mesh, in the order in which parts first have them")
      .field("mesh_b", &ClashFinding::mesh_b, "of the other one; not below mesh_a")
      .field("kind", &ClashFinding::kind, "the class")
      .value(
          "rule", [](const ClashFinding& f) { return rule_number(f.rule); }, "index of the rule, or None")
      .field("allowed", &ClashFinding::allowed, "the rule allows its pairs")
      .field("undecided", &ClashFinding::undecided, "the verdicts of its pairs are")
      .array(
          "pairs",
          [](const ClashFinding& f, py::handle owner) { return read_only(view_of<std::uint32_t>(f.pairs, owner)); },
          "uint32: indices into ClashReport.pairs, the worst first")
      .field("largest_volume", &ClashFinding::largest_volume, "of its pairs")
      .field("total_volume", &ClashFinding::total_volume, "of all of them")
      .field("largest_depth", &ClashFinding::largest_depth, "of its pairs")
      .field("smallest_distance", &ClashFinding::smallest_distance, "of its pairs; inf where none is apart");
  bind_items<ClashFinding>(m, "ClashFindings", "The findings of a ClashReport, as a sequence.");
}

/// An array with what `member` refers to of every pair. Not a field of the record: `pairs` says the same.
template <class Number, class Get>
void add_column(Record<ClashReport>& report, const char* name, const std::vector<py::ssize_t>& inner, const Get& member,
                const char* doc) {
  report.def_property_readonly(
      name,
      [member, inner](py::handle self) {
        return column_of<Number>(self.cast<const ClashReport&>().pairs, member, inner, self);
      },
      doc);
}

void add_columns(Record<ClashReport>& report) {
  using One = const ClashPair&;
  add_column<std::uint32_t>(
      report, "pair_ids", {2}, [](One p) -> auto& { return p.a; }, "uint32 (n, 2): the parts of each pair");
  add_column<std::uint8_t>(
      report, "kinds", {}, [](One p) -> auto& { return p.kind; },
      "uint8: 0 clear, 1 near, 2 touching, 3 overlapping, 4 piercing, 5 contained, 6 duplicate");
  add_column<std::uint8_t>(
      report, "verdicts", {}, [](One p) -> auto& { return p.verdict; }, "uint8: 0 clear, 1 colliding, 2 undecided");
  add_column<bool>(
      report, "allowed", {}, [](One p) -> auto& { return p.allowed; }, "bool: a rule allows the overlap");
  add_column<double>(
      report, "volumes", {}, [](One p) -> auto& { return p.volume; }, "shared volumes");
  add_column<double>(
      report, "volume_errors", {}, [](One p) -> auto& { return p.volume_error; }, "as in Overlap");
  add_column<double>(
      report, "depths", {}, [](One p) -> auto& { return p.depth; }, "of each pair");
  add_column<double>(
      report, "distances", {}, [](One p) -> auto& { return p.distance; }, "0 where parts overlap or touch");
  add_column<double>(
      report, "ways_out", {3}, [](One p) -> auto& { return p.way_out; },
      "float64 (n, 3): of the first part; 0 where there is none");
  add_column<double>(
      report, "centroids", {3}, [](One p) -> auto& { return p.centroid; }, "float64 (n, 3): where each pair clashes");
}

void bind_report(py::module_& m) {
  using Shared = const std::shared_ptr<ClashReport>&;
  Record<ClashReport> report(m, "ClashReport", "What find_clashes found.");
  report
      .value(
          "pairs",
          [](Shared r) {
            return Items<ClashPair>{r, &r->pairs};
          },
          "sequence of ClashPair, ascending by (a, b); clear ones only with the option keep_clear")
      .value(
          "findings",
          [](Shared r) {
            return Items<ClashFinding>{r, &r->findings};
          },
          "sequence of ClashFinding, the worst first")
      .field("part_count", &ClashReport::part_count, "parts")
      .field("mesh_count", &ClashReport::mesh_count, "different meshes")
      .field("triangle_count", &ClashReport::triangle_count, "of all parts")
      .field("candidate_count", &ClashReport::candidate_count, "pairs whose boxes are close, that no rule ignores")
      .field("tested_count", &ClashReport::tested_count, "of these; fewer when it was stopped")
      .field("reused_count", &ClashReport::reused_count, "of these; their answers are from the cache")
      .field("ignored_count", &ClashReport::ignored_count, "pairs whose boxes are close, and that are left out")
      .field("unusable_parts", &ClashReport::unusable_parts,
             "indices of parts without a usable triangle, or that are a single point: tested against nothing")
      .field("damaged_parts", &ClashReport::damaged_parts,
             "indices of others with triangles that cannot be used: what should be there was tested against nothing")
      .field("complete", &ClashReport::complete, "False when it was stopped")
      .field("broad_ms", &ClashReport::broad_ms, "time for the boxes")
      .field("pairs_ms", &ClashReport::pairs_ms, "time for the pairs")
      .field("total_ms", &ClashReport::total_ms, "both")
      .field("engine", &ClashReport::engine, "that answered")
      .value(
          "undecided_count", [](const ClashReport& r) { return r.undecided_count(); }, "pairs that are undecided");
  report.def("count", &ClashReport::count, py::arg("kind"), "How many pairs of a class are not allowed.");
  add_columns(report);
}

}  // namespace

void bind_clash_results(py::module_& m) {
  bind_pair(m);
  bind_finding(m);
  bind_report(m);
}

}  // namespace lamella::python
