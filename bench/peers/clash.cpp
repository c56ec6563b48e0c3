#include "bench/peers/clash.hpp"

#include <fmt/core.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
#include <memory>

#include "bench/peers/clash_peers.hpp"
#include "cli/assembly_input.hpp"
#include "cli/options.hpp"
#include "lamella/mesh.hpp"

namespace lamella::bench::peers {
namespace {

struct Args {
  std::uint32_t parts = 1'000;
  std::uint32_t volumes = 100;  ///< pairs whose volumes CGAL is asked for
};

struct Ours {
  ClashTimes times;
  ClashReport report;
};

bool shares_volume(const ClashPair& pair) { return pair.kind >= ClashClass::overlapping; }

/// `meeting` are the pairs whose surfaces touch or that share a volume: what the others call a collision.
Ours our_clashes(const Assembly& assembly, const ClashOptions& options, const std::string& call,
                 const std::string& gives) {
  Ours out{{.library = "Lamella", .call = call, .gives = gives}, {}};
  const std::clock_t start = std::clock();
  out.report = find_clashes(assembly, options);
  const double ms = static_cast<double>(std::clock() - start) * (1e3 / CLOCKS_PER_SEC);
  // The report has wall time: its parts of the processor's.
  out.times.broad_ms = ms * out.report.broad_ms / out.report.total_ms;
  out.times.pairs_ms = ms - out.times.broad_ms;
  out.times.candidates = out.report.candidate_count;
  for (const ClashPair& pair : out.report.pairs)
    if (shares_volume(pair) || (pair.kind == ClashClass::touching && pair.distance == 0))
      out.times.meeting.emplace_back(pair.a, pair.b);
  return out;
}

void print_times(const std::vector<ClashTimes>& all) {
  fmt::print("  {:<10} {:<34} {:>10} {:>10} {:>10} {:>10} {:>11} {:>9}  {}\n", "library", "call", "prepare ms",
             "broad ms", "pairs ms", "total ms", "candidates", "collide", "gives");
  for (const ClashTimes& t : all)
    fmt::print("  {:<10} {:<34} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f} {:>11} {:>9}  {}\n", t.library, t.call,
               t.prepare_ms, t.broad_ms, t.pairs_ms, t.prepare_ms + t.broad_ms + t.pairs_ms, t.candidates,
               t.meeting.size(), t.gives);
}

std::vector<BodyPair> without(const std::vector<BodyPair>& all, const std::vector<BodyPair>& left_out) {
  std::vector<BodyPair> rest;
  std::set_difference(all.begin(), all.end(), left_out.begin(), left_out.end(), std::back_inserter(rest));
  return rest;
}

/// Prints which classes the pairs are of in our report, with a few of their names.
void print_difference(const std::string& title, const std::vector<BodyPair>& pairs, const ClashReport& report,
                      const Assembly& assembly) {
  fmt::print("  {}: {}", title, pairs.size());
  std::map<std::string, std::size_t> classes;
  for (const BodyPair& pair : pairs) {
    const auto at = std::find_if(report.pairs.begin(), report.pairs.end(),
                                 [&](const ClashPair& p) { return p.a == pair.first && p.b == pair.second; });
    ++classes[at == report.pairs.end() ? "clear" : std::string(to_string(at->kind))];
  }
  for (const auto& [name, count] : classes) fmt::print(", {} {}", count, name);
  fmt::print("\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 4); ++i)
    fmt::print("    {} | {}\n", assembly.parts[pairs[i].first].name, assembly.parts[pairs[i].second].name);
}

BodyBox box_of(const Mesh& mesh) {
  BodyBox box{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (const Vec3& p : mesh.positions)
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<float>(mesh.origin[k] + p[k]);
      box.low[k] = std::min(box.low[k], std::nextafter(at, -INFINITY));
      box.high[k] = std::max(box.high[k], std::nextafter(at, INFINITY));
    }
  return box;
}

ClashWork work_of(const Assembly& assembly) {
  ClashWork work{.assembly = &assembly, .boxes = {}, .place = [&assembly](std::uint32_t part) {
                   return transformed(assembly.meshes[assembly.parts[part].mesh], assembly.parts[part].pose);
                 }};
  for (std::uint32_t i = 0; i < assembly.parts.size(); ++i) work.boxes.push_back(box_of(work.place(i)));
  return work;
}

#ifdef LAMELLA_PEER_CGAL
/// How many volumes of ours are off by more than their error bars, and by how much at worst.
void compare_volumes(const ClashWork& work, const ClashReport& report, std::size_t most) {
  std::vector<BodyPair> pairs;
  std::vector<const ClashPair*> ours;
  for (const ClashPair& pair : report.pairs) {
    if (!shares_volume(pair) || pairs.size() == most) continue;
    pairs.emplace_back(pair.a, pair.b);
    ours.push_back(&pair);
  }
  const ClashVolumes exact = cgal_volumes(work, pairs);
  std::size_t known = 0, within = 0, within_three = 0;
  double worst = 0, worst_bars = 0, our_sum = 0, exact_sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (exact.volumes[i] < 0) continue;
    const double off = std::abs(ours[i]->volume - exact.volumes[i]);
    ++known;
    within += off <= ours[i]->volume_error ? 1 : 0;
    within_three += off <= 3 * ours[i]->volume_error + 1e-3 * exact.volumes[i] ? 1 : 0;
    worst = std::max(worst, off / std::max(ours[i]->volume, exact.volumes[i]));
    if (off > ours[i]->volume_error) worst_bars = std::max(worst_bars, off / ours[i]->volume_error);
    our_sum += ours[i]->volume;
    exact_sum += exact.volumes[i];
  }
  // The worst of all may well be inside its bar.
  const std::string outside = known == within ? " (none outside its bar)"
                                              : fmt::format(" (of those outside their bars, {:.2f} bars)", worst_bars);
  fmt::print(
      "  volumes of {} pairs by CGAL's corefinement: {:.1f} ms, {:.2f} ms a pair; {} are known. Ours: {} within their "
      "error\n  bar, {} within three bars and 0.1 %, the worst {:.2f} % off{}, the sum {:+.3f} %\n",
      pairs.size(), exact.ms, exact.ms / double(std::max<std::size_t>(1, pairs.size())), known, within, within_three,
      100 * worst, outside, 100 * (our_sum / exact_sum - 1));
}
#endif

/// Whether our collisions are those of CGAL.
bool compare(const std::string& title, const scenes::SampleAssembly& sample, const Args& args) {
  const Assembly& assembly = sample.assembly;
  fmt::print("{}: {} parts, {} meshes\n", title, assembly.parts.size(), assembly.meshes.size());
  ClashOptions options = scenes::clash_options(sample);
  options.threads = 1;
  options.engine = "software";
  Ours full = our_clashes(assembly, options, "find_clashes", "classes, volumes, distances, ways out");
  ClashOptions plain;
  plain.threads = 1;
  plain.engine = "software";
  plain.way_out = WayOut::none;
  // Rules that leave pairs out do not count: the others have none.
  Ours bare = our_clashes(assembly, plain, "find_clashes, no rules, no ways out", "classes, volumes, distances");
  std::vector<ClashTimes> all{full.times, bare.times};
  const ClashWork work = work_of(assembly);
#ifdef LAMELLA_PEER_FCL
  all.push_back(fcl_clash(work));
#endif
#ifdef LAMELLA_PEER_CGAL
  all.push_back(cgal_clash(work));
#endif
  print_times(all);
  bool same = true;
  for (std::size_t i = 2; i < all.size(); ++i) {
    const std::vector<BodyPair> missing = without(all[i].meeting, bare.times.meeting),
                                more = without(bare.times.meeting, all[i].meeting);
    print_difference(all[i].library + " alone", missing, bare.report, assembly);
    print_difference("Lamella alone, beside " + all[i].library, more, bare.report, assembly);
    if (all[i].library.starts_with("CGAL")) same = missing.empty() && more.empty();
  }
#ifdef LAMELLA_PEER_CGAL
  compare_volumes(work, bare.report, args.volumes);
#endif
  std::fflush(stdout);
  return same;
}

bool run(const Args& args) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print(
      "One thread, processor time. prepare: a tree for each mesh, once. broad: from poses to pairs whose boxes meet. "
      "pairs: the rest.\n"
      "collide: pairs that share a point. Lamella's candidates include those within the clearance.\n");
  const bool gearbox = compare("gearbox", cli::parse_assembly("gearbox").make(), args);
  const bool crowd = compare("crowd", cli::parse_assembly(fmt::format("crowd:{}", args.parts)).make(), args);
  return gearbox && crowd;
}

}  // namespace

void add_clash(const cli::Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const cli::Command command = app.add_subcommand("clash", "Clash reports of assemblies beside FCL and CGAL");
  cli::add_count(command, "--parts", 1, 1'000'000, args->parts, "of the crowd").default_str("1000");
  cli::add_count(command, "--volumes", 1, 1'000'000, args->volumes, "pairs whose volumes CGAL is asked for")
      .default_str("100");
  command.footer("Exit status 1 where our collisions are not those of CGAL.");
  command.callback([args, &status] { status = run(*args) ? 0 : 1; });
}

}  // namespace lamella::bench::peers
