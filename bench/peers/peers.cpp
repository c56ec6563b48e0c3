// `lamella bench peers`: the works of docs/compare.md by every library that the program was built with, in one run.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <tbb/global_control.h>

#include <algorithm>

#include "bench/commands.hpp"
#include "bench/peers/chart.hpp"
#include "bench/peers/judge.hpp"
#include "bench/peers/method.hpp"
#include "bench/peers/race.hpp"
#include "bench/report.hpp"
#include "cli/common.hpp"
#include "cli/machine.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"

namespace lamella::bench::peers {
namespace {

constexpr std::size_t kRounds = 21, kQuickRounds = 5;
constexpr double kCells = 128;  ///< along a side of our grids

/// A work that was done.
struct Done {
  std::string name, title;
  std::size_t faces = 0;
  std::vector<Finished> entries;
  Verdict verdict;
};

class Bench {
 public:
  Bench(const PeersArgs& args, const Libraries& others) : args_(args), peers_({our_peer()}) {
    peers_.insert(peers_.end(), others.found.begin(), others.found.end());
    if (args.quick) sizes_ = quick_sizes();
    race_.rounds = args.rounds.value_or(args.quick ? kQuickRounds : kRounds);
  }

  [[nodiscard]] Done points() const {
    const PointsWork work = points_work(sizes_);
    const Vec3 size = extent(bounds(work.solid.at(0)));
    const std::size_t faces = work.solid.triangles.size();
    return run("W1",
               fmt::format("{} points in a mesh of {} faces", whole(double(work.points.size())), whole(double(faces))),
               faces, work, &Peer::points, {.points = &work, .cell = std::max({size.x, size.y, size.z}) / kCells});
  }

  [[nodiscard]] Done pair() const {
    const PairWork work = pair_work(sizes_);
    const std::size_t a = work.a.triangles.size(), b = work.b.triangles.size();
    return run("W2", fmt::format("A knot of {} faces and a blob of {}", whole(double(a)), whole(double(b))), a + b,
               work, &Peer::pair, {});
  }

  [[nodiscard]] Done self() const {
    const SelfWork work = self_work(sizes_);
    const std::size_t faces = work.mesh.triangles.size();
    return run("W3", fmt::format("A tube of {} faces against itself", whole(double(faces))), faces, work, &Peer::self,
               {});
  }

  [[nodiscard]] Done bodies() const {
    const BodiesWork work = bodies_work(sizes_);
    return run("W4-deforming", bodies_title(work, "deforming"), face_count(work), work, &Peer::bodies, {});
  }

  [[nodiscard]] Done rigid() const {
    const RigidWork work = rigid_work(sizes_);
    return run("W4-rigid", bodies_title(work.placed, "rigid"), face_count(work.placed), work, &Peer::rigid, {});
  }

 private:
  static std::string bodies_title(const BodiesWork& work, const char* kind) {
    return fmt::format("{} {} bodies of {} faces", work.bodies.size(), kind,
                       whole(double(face_count(work)) / double(work.bodies.size())));
  }

  template <class Work>
  Done run(const std::string& name, const std::string& title, std::size_t faces, const Work& work,
           std::function<Methods(const Work&)> Peer::*part, const Tolerance& tolerance) const {
    Methods methods;
    for (const Peer& peer : peers_) {
      if (!(peer.*part)) continue;
      for (Method& method : (peer.*part)(work)) methods.push_back(std::move(method));
    }
    cli::Progress progress(name);
    RaceOptions options = race_;
    options.progress = [&](std::size_t round) { progress.update(round, options.rounds); };
    Done done{name, title, faces, race(std::move(methods), options), {}};
    done.verdict = judge(done.entries, tolerance);
    std::stable_sort(done.entries.begin() + 1, done.entries.end(), [](const Finished& a, const Finished& b) {
      if (a.method.ours != b.method.ours) return a.method.ours;
      return !a.method.ours && quartiles(a.ms).median < quartiles(b.ms).median;
    });
    return done;
  }

  PeersArgs args_;
  std::vector<Peer> peers_;
  WorkSizes sizes_;
  RaceOptions race_;
};

struct Work {
  const char* name;
  Done (Bench::*run)() const;
};
constexpr Work kWorks[] = {
    {"W1", &Bench::points}, {"W2", &Bench::pair}, {"W3", &Bench::self}, {"W4", &Bench::bodies}, {"W4", &Bench::rigid}};

std::vector<Work> chosen(const PeersArgs& args) {
  std::vector<Work> works(std::begin(kWorks), std::end(kWorks));
  if (!args.work.empty()) std::erase_if(works, [&](const Work& work) { return work.name != args.work; });
  if (works.empty()) throw Error(fmt::format("--work: there is no '{}'; type one of: W1, W2, W3, W4", args.work));
  return works;
}

void set(Row& row, const std::string& key, const Quartiles& q) {
  row.set({key + ".low", q.low});
  row.set({key + ".median", q.median});
  row.set({key + ".high", q.high});
}

Row to_row(const Done& done, const Finished& entry) {
  const Answer& answer = entry.answers.back();
  const Finished* exact = exact_for(done.entries, answer);
  const Answer* exact_answer = exact == nullptr ? nullptr : &exact->answers.back();
  Row row{{"faces", done.faces},
          {"engine", entry.method.ours ? "software" : entry.method.library},
          {"library", entry.method.library},
          {"call", entry.method.call},
          {"gives", entry.method.gives},
          {"threads", 1},
          {"runs", entry.ms.size()}};
  set(row, "ms", quartiles(entry.ms));
  set(row, "wall_ms", quartiles(entry.wall));
  set(row, "ratio", quartiles(entry.ratio));
  row.set({"answer", to_text(answer, exact_answer)});
  row.set(to_row(answer, exact_answer));
  return row;
}

Column range(const std::string& heading, const std::string& key) {
  return {heading, [key](const Row& row) {
            return fmt::format("{} to {}", decimal(row.number(key + ".low")), decimal(row.number(key + ".high")));
          }};
}

Table to_table(const Done& done) {
  Table table{.name = done.name, .title = done.title, .columns = columns("library|call|gives|answer|ms=ms.median:ms")};
  table.columns.push_back(range("quartiles", "ms"));
  append(table.columns, columns("times ours=ratio.median:times"));
  table.columns.push_back(range("quartiles", "ratio"));
  append(table.columns, columns("runs"));
  for (const Finished& entry : done.entries) table.rows.push_back(to_row(done, entry));
  table.findings = done.verdict.agreement;
  return table;
}

/// Two digits or more.
std::string for_people(double value) {
  return value >= 9.95 ? whole(value) : fmt::format("{:.{}f}", value, value >= 0.995 ? 1 : 2);
}

/// Without its version.
std::string short_name(const std::string& library) { return library.substr(0, library.find(' ')); }

ChartBar to_bar(const Finished& entry, bool base) {
  const Method& method = entry.method;
  const Quartiles ms = quartiles(entry.ms);
  const std::string ratio = base ? "" : fmt::format(" (x {})", for_people(quartiles(entry.ratio).median));
  return {short_name(method.library) + " " + (method.chart_call.empty() ? method.call : method.chart_call),
          fmt::format("{} ms{}: {}", for_people(ms.median), ratio, method.gives), ms, method.ours};
}

ChartGroup to_group(const Done& done) {
  ChartGroup group{done.title, {}};
  for (const Finished& entry : done.entries) {
    if (!entry.method.detail) group.bars.push_back(to_bar(entry, &entry == &done.entries.front()));
  }
  return group;
}

void write_chart(const PeersArgs& args, const std::vector<Done>& all) {
  Chart chart{{fmt::format("Everything has moved: time until the answer. One thread, {}", cli::cpu_model()),
               fmt::format("Lamella at {0} x {0}; x: times Lamella's first bar. Logarithmic", kCells)},
              {}};
  for (const Done& done : all) chart.groups.push_back(to_group(done));
  picture::write_png(args.chart, draw(chart));
}

std::string missing_text(const Libraries& others) {
  if (others.missing.empty()) return "";
  return fmt::format("Left out, since not found when this program was built: {}.\n", fmt::join(others.missing, ", "));
}

std::string heading(const Libraries& others) {
  const std::string text = fmt::format(
      "{}\nOne thread. Rounds in which each library does the work once, every vertex new.\n", cli::machine_text());
  if (others.found.empty()) {
    return text +
           "Other libraries are left out: the program lamella-bench-peers has them; `./run bench peers` installs them, "
           "builds it and runs it.\n";
  }
  std::vector<std::string> names;
  for (const Peer& peer : others.found) names.push_back(peer.name);
  return text + fmt::format("Beside {}.\n", fmt::join(names, ", ")) + missing_text(others);
}

/// False when an answer of ours is wrong.
bool run(const PeersArgs& args, const Libraries& others) {
  const std::vector<Work> works = chosen(args);
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  const Report report("peers", args.json);
  report.say(heading(others));
  if (args.json && !others.missing.empty()) cli::complain(missing_text(others));
  const Bench bench(args, others);
  std::vector<Done> all;
  std::vector<std::string> problems;
  for (const Work& work : works) {
    all.push_back((bench.*work.run)());
    report.print(to_table(all.back()));
    for (const std::string& problem : all.back().verdict.problems) {
      problems.push_back(fmt::format("{}: {}", all.back().name, problem));
    }
  }
  if (!args.chart.empty()) write_chart(args, all);
  for (const std::string& problem : problems) cli::complain("wrong answer: " + problem);
  return problems.empty();
}

}  // namespace
}  // namespace lamella::bench::peers

bool lamella::bench::run_peers(const PeersArgs& args, const peers::Libraries& others) {
  return peers::run(args, others);
}
