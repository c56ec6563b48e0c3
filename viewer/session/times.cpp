#include <algorithm>

#include "answer/stopwatch.hpp"
#include "lamella/error.hpp"
#include "session/queries.hpp"

namespace lamella::session {
namespace {

constexpr std::uint32_t kMostRounds = 100;
constexpr std::size_t kMostEngines = 32;

bool on_gpu(const std::string& name) {
  const std::vector<EngineInfo> all = engines();
  return std::any_of(all.begin(), all.end(), [&](const EngineInfo& e) { return e.name == name && e.gpu; });
}

/// Asks once to warm up, then `rounds` times.
template <class Ask>
Json measure(const std::string& engine, std::uint32_t rounds, const Ask& ask) {
  const double volume = ask().volume;
  std::vector<double> ms(rounds);
  for (double& one : ms) {
    const answer::Stopwatch watch;
    (void)ask();
    one = watch.ms();
  }
  std::sort(ms.begin(), ms.end());
  return {{"engine", engine}, {"ms", ms[ms.size() / 2]}, {"least", ms.front()}, {"volume", volume}};
}

Json time_of(const std::string& engine, Object& a, Object& b, Options options, std::uint32_t rounds) {
  options.engine = engine;
  try {
    Detector detector(options);
    if (!on_gpu(engine))
      return measure(engine, rounds, [&]() -> const Overlap& { return detector.intersect(a.placed(), b.placed()); });
    const ObjectId kept_a = detector.add(a.placed()), kept_b = detector.add(b.placed());
    return measure(engine, rounds, [&]() -> const Overlap& { return detector.intersect(kept_a, kept_b); });
  } catch (const Error& e) {
    return {{"engine", engine}, {"error", e.what()}};
  }
}

}  // namespace

Json query_times(Workspace& workspace, const Request& request, PacketWriter&) {
  Object &a = workspace.objects.at(request.id("a")), &b = workspace.objects.at(request.id("b"));
  const Options options = read_options(workspace, request);
  const std::vector<std::string> names = request.texts("engines");
  if (names.size() > kMostEngines) throw Error("'engines' names more than there are");
  const std::uint32_t rounds = request.whole_or("rounds", 5, 1, kMostRounds);
  Json rows = Json::array();
  for (const std::string& name : names) rows.push_back(time_of(name, a, b, options, rounds));
  return {{"answer", {{"query", "times"}, {"rows", std::move(rows)}}}};
}

}  // namespace lamella::session
