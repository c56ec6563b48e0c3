#include "cli/scene/answer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/common.hpp"
#include "cli/query/answer.hpp"

namespace lamella::cli {
namespace {

/// Lines of a table that a person reads; --json has all.
constexpr std::size_t kMostPairs = 40, kMostGroups = 8, kMostNames = 4, kMostDoubts = 8;

answer::SceneAsked asked_of(const SceneSubjects& subjects) {
  return {subjects.options, [&file = subjects.file](std::uint32_t i) { return file.objects[i].label; },
          subjects.load_ms};
}

std::string object_text(const SceneFile& file, ObjectId id) {
  return fmt::format("{} {}", id.number, file.objects[id.number].label);
}

std::size_t more_contacts(const SceneResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.pairs.begin(), result.pairs.end(), [](const ScenePair& p) { return p.more_contacts; }));
}

/// "8+" where there are more.
std::string contacts_text(const ScenePair& p) {
  return fmt::format("{}{}", grouped(p.contact_count), p.more_contacts ? "+" : "");
}

void print_more_contacts(std::size_t pairs, const SceneOptions& options) {
  if (pairs == 0) return;
  const std::string remedy = options.max_contacts < kMaxContacts
                                 ? fmt::format("; --max-contacts allows {}", kMaxContacts)
                                 : ", the most there can be";
  print_line("contacts", fmt::format("{} more than {}{}", pairs == 1 ? "1 pair has" : grouped(pairs) + " pairs have",
                                     options.max_contacts, remedy));
}

/// A place in a pair: as many digits as tell places apart where floats would not.
std::string place_text(const SceneResult& result, const ScenePair& p) {
  const SceneGroup& group = result.groups[p.group];
  if (group.origin == Vec3d{}) return to_text(p.centroid);
  return fmt::format("{:.12g}, {:.12g}, {:.12g}", p.centroid.x, p.centroid.y, p.centroid.z);
}

void print_pairs(const SceneResult& result, const SceneFile& file) {
  if (result.pairs.empty()) return;
  Table table{{{"a"}, {"b"}, {"volume", true}, {"points", true}, {"contacts", true}, {"deepest", true}, {"where"}}, {}};
  for (const ScenePair& p : std::span(result.pairs).first(std::min(kMostPairs, result.pairs.size()))) {
    table.rows.push_back({object_text(file, p.a), object_text(file, p.b),
                          p.volume ? volume_text(*p.volume, p.volume_error.value_or(0), Bound::unsaid) : "-",
                          grouped(p.point_count), contacts_text(p), to_text(p.depth), place_text(result, p)});
  }
  print(fmt::format("\n{}", to_text(table)));
  if (result.pairs.size() > kMostPairs) {
    print(fmt::format("and {} more: --json lists all\n", counted(result.pairs.size() - kMostPairs, "pair")));
  }
  print("\n");
}

void print_undecided(const SceneResult& result, const SceneSubjects& subjects) {
  const SceneFile& file = subjects.file;
  const std::size_t shown = std::min(kMostDoubts, result.undecided.size());
  for (const SceneDoubt& d : std::span(result.undecided).first(shown)) {
    print_line("undecided", fmt::format("{} and {}: {}", object_text(file, d.a), object_text(file, d.b),
                                        answer::doubt_text(d, asked_of(subjects))));
  }
  if (shown < result.undecided.size()) {
    print_line("", fmt::format("and {} more: --json lists all", counted(result.undecided.size() - shown, "pair")));
  }
}

/// "yes: 3 pairs", "no", or how many pairs are not known.
std::string verdict_text(const SceneResult& result) {
  if (result.verdict == Verdict::clear) return "no";
  const std::string doubtful =
      result.undecided.empty() ? "" : fmt::format("{} undecided", counted(result.undecided.size(), "pair"));
  if (result.verdict == Verdict::undecided) return "undecided: " + doubtful;
  return "yes: " + counted(result.pairs.size(), "pair") + (doubtful.empty() ? "" : ", " + doubtful);
}

/// Grids that would have had more than max_resolution columns or rows have larger cells instead.
std::size_t coarse_grids(const SceneResult& result, const SceneOptions& options) {
  constexpr double kRounding = 1.01;
  if (!(options.cell > 0)) return 0;
  return static_cast<std::size_t>(std::count_if(result.groups.begin(), result.groups.end(), [&](const SceneGroup& g) {
    return g.grid.column_count() != 0 && std::max(g.grid.cell_u(), g.grid.cell_v()) > kRounding * options.cell;
  }));
}

void print_coarse(std::size_t grids, const SceneOptions& options) {
  if (grids == 0) return;
  print_line("coarser", fmt::format("{} with cells larger than {}: {} columns and rows are the most",
                                    counted(grids, "grid"), to_text(options.cell), options.max_resolution));
}

void print_accuracy(const SceneResult& result, const SceneOptions& options) {
  if (options.tolerance) {
    const std::size_t missed = answer::missed_tolerances(result);
    print_line("tolerance", fmt::format("{} sampled again{}", counted(result.refined_count, "pair"),
                                        missed == 0 ? "" : fmt::format("; not met by {}", counted(missed, "pair"))));
  }
  if (options.certify)
    print_line("proved",
               fmt::format("{} of {}", grouped(result.certified_count), counted(result.candidate_count, "pair")));
}

std::string origin_text(const SceneGroup& group) {
  if (group.origin == Vec3d{}) return "";
  return fmt::format(" from {:.12g}, {:.12g}, {:.12g}", group.origin.x, group.origin.y, group.origin.z);
}

/// The library has a group for each set of objects and each axis of rays.
void print_grids(const SceneResult& result) {
  for (std::size_t i = 0; i < std::min(kMostGroups, result.groups.size()); ++i) {
    const Grid& grid = result.groups[i].grid;
    print_line(fmt::format("grid {}", i),
               fmt::format("{}, {} x {} columns along {}, box {}{}", counted(result.groups[i].object_count, "object"),
                           grid.columns, grid.rows, "xyz"[grid.w()], to_text(grid.box), origin_text(result.groups[i])));
  }
  if (result.groups.size() > kMostGroups) {
    print_line("", fmt::format("and {} more", counted(result.groups.size() - kMostGroups, "grid")));
  }
}

/// The files of the objects that have defects, for `lamella info`.
Subjects troubled(const SceneResult& result, const SceneFile& file) {
  Subjects subjects;
  for (const SceneDefect& d : result.defects) {
    const std::string& name = file.mesh_files[file.objects[d.object.number].mesh];
    const bool known = std::find(subjects.names.begin(), subjects.names.end(), name) != subjects.names.end();
    if (!name.empty() && !known && subjects.names.size() < kMostNames) subjects.names.push_back(name);
  }
  if (subjects.names.empty()) subjects.names.push_back("MESH");
  return subjects;
}

std::string health_text(const SceneResult& result, const SceneFile& file) {
  return describe(result.health, troubled(result, file), doubt_of_volume(result.health));
}

void print_end(const SceneResult& result, const SceneSubjects& subjects, const Timings& ms, double load_ms) {
  print_line("health", health_text(result, subjects.file));
  print_line("engine", fmt::format("{}, {}; loading apart: {:.2f})", result.engine, describe(ms), load_ms));
}

/// The published method does not compare all that it could: an answer of it says so.
std::string method_text(std::uint64_t passed_over) {
  if (passed_over == 0) return "jang, as published; it passed nothing over here";
  return fmt::format(
      "jang, as published: it passed over {} of surfaces, so that pairs of objects may be missing; "
      "--method complete compares them",
      counted(passed_over, "pair"));
}

void print_method(const SceneSubjects& subjects, std::uint64_t passed_over) {
  if (subjects.options.method == PairMethod::jang) print_line("method", method_text(passed_over));
}

std::size_t triangle_count(const SceneFile& file) {
  std::size_t count = 0;
  for (const SceneObject& object : file.objects) count += file.meshes[object.mesh].triangles.size();
  return count;
}

void print_objects(const SceneSubjects& subjects) {
  print_line("objects", fmt::format("{} ({})", grouped(subjects.file.objects.size()),
                                    counted(triangle_count(subjects.file), "triangle")));
}

}  // namespace

std::string describe(const Timings& ms) {
  const std::string gpu = ms.gpu > 0 ? fmt::format(", GPU {:.2f}", ms.gpu) : "";
  return fmt::format(
      "{:.2f} ms (broad phase {:.2f}, placing {:.2f}, sampling {:.2f}, pairs {:.2f}, points {:.2f}, contacts {:.2f}{}",
      ms.total(), ms.broad, ms.voi, ms.ldi, ms.query, ms.points, ms.contacts, gpu);
}

void write_scene_json(const SceneResult& result, const SceneSubjects& subjects, const SceneJsonEnds& ends,
                      const std::function<void(std::string_view)>& sink) {
  answer::write_scene_json(result, asked_of(subjects), ends, sink);
}

void print_scene(const SceneResult& result, const SceneSubjects& subjects) {
  print_line("colliding", verdict_text(result));
  print_objects(subjects);
  print_line("candidates", fmt::format("{} of boxes that share a volume, sampled in {}",
                                       counted(result.candidate_count, "pair"), counted(result.groups.size(), "grid")));
  print_line("points",
             fmt::format("{}, {}", grouped(result.points.size()), counted(result.contacts.size(), "contact")));
  print_pairs(result, subjects.file);
  print_undecided(result, subjects);
  for (const SceneSelfOverlap& s : result.self_overlaps) {
    print_line("self-overlap", fmt::format("{}: volume {}", object_text(subjects.file, s.object), to_text(s.volume)));
  }
  print_grids(result);
  print_coarse(coarse_grids(result, subjects.options), subjects.options);
  print_accuracy(result, subjects.options);
  print_more_contacts(more_contacts(result), subjects.options);
  print_method(subjects, result.passed_over);
  print_end(result, subjects, result.ms, subjects.load_ms);
}

FrameRow frame_row(std::uint32_t frame, const SceneResult& result, const SceneSubjects& subjects) {
  FrameRow row;
  row.frame = frame;
  row.candidates = result.candidate_count;
  row.pairs = result.pairs.size();
  row.points = result.points.size();
  row.contacts = result.contacts.size();
  row.coarse = coarse_grids(result, subjects.options);
  row.more_contacts = more_contacts(result);
  row.passed_over = result.passed_over;
  row.ok = result.health.ok();
  row.undecided = result.undecided.size();
  row.ms = result.ms;
  for (const ScenePair& p : result.pairs) {
    row.volume += p.volume.value_or(0);
    row.deepest = std::max(row.deepest, p.depth);
  }
  return row;
}

void print_frames(const std::vector<FrameRow>& rows, const SceneResult& last, const SceneSubjects& subjects) {
  const auto colliding = std::count_if(rows.begin(), rows.end(), [](const FrameRow& r) { return r.pairs != 0; });
  const auto doubtful = std::count_if(rows.begin(), rows.end(), [](const FrameRow& r) { return r.undecided != 0; });
  const std::string undecided = doubtful == 0 ? "" : fmt::format("in {} of {} frames", doubtful, rows.size());
  if (colliding != 0) {
    print_line("colliding", fmt::format("yes: in {} of {} frames{}", colliding, rows.size(),
                                        doubtful == 0 ? "" : ", with undecided pairs " + undecided));
  } else {
    print_line("colliding", doubtful == 0 ? "no" : "undecided: " + undecided);
  }
  print_objects(subjects);
  Table table{{{"frame", true},
               {"candidates", true},
               {"pairs", true},
               {"volume", true},
               {"points", true},
               {"contacts", true},
               {"deepest", true},
               {"health"},
               {"ms", true}},
              {}};
  Timings sum;
  std::size_t coarse = 0, more = 0;
  std::uint64_t passed_over = 0;
  for (const FrameRow& r : rows) {
    table.rows.push_back({std::to_string(r.frame), grouped(r.candidates), grouped(r.pairs),
                          last.engine == "gl-pairs" ? "-" : to_text(r.volume), grouped(r.points),
                          grouped(r.contacts) + (r.more_contacts != 0 ? "+" : ""), to_text(r.deepest),
                          r.ok ? "ok" : "in doubt", fmt::format("{:.2f}", r.ms.total())});
    coarse += r.coarse;
    passed_over += r.passed_over;
    more = std::max(more, r.more_contacts);
    sum += r.ms;
  }
  print(fmt::format("\n{}\n", to_text(table)));
  print_coarse(coarse, subjects.options);
  print_more_contacts(more, subjects.options);
  print_method(subjects, passed_over);
  print_undecided(last, subjects);
  print_end(last, subjects, sum, subjects.load_ms);
}

}  // namespace lamella::cli
