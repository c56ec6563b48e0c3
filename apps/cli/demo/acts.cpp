#include "cli/demo/acts.hpp"

#include <algorithm>

#include "cli/stopwatch.hpp"
#include "lamella/detector.hpp"
#include "scenes/scenes.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kFrames = 33;  ///< of the closing hand
constexpr std::size_t kWarmUps = 3, kRuns = 33;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Fills in what ask(i), which answers the i-th time, gives and takes.
template <class Ask>
Act timed(Act act, const Ask& ask) {
  std::vector<double> voi, ldi, query, total;
  for (std::size_t i = 0; i < kWarmUps + kRuns; ++i) {
    const Stopwatch watch;
    const auto& [answer, found] = ask(i);
    const double taken = watch.ms();
    act.answer = std::max(act.answer, answer);
    act.engine = found->engine;
    if (i < kWarmUps) continue;
    voi.push_back(found->ms.voi);
    ldi.push_back(found->ms.ldi);
    query.push_back(found->ms.query);
    total.push_back(taken);
  }
  act.ms.voi = median(std::move(voi));
  act.ms.ldi = median(std::move(ldi));
  act.ms.query = median(std::move(query));
  act.total_ms = median(std::move(total));
  return act;
}

Options with_resolution(Options options, std::uint32_t resolution) {
  options.resolution = resolution;
  return options;
}

/// From the open hand to the closed grip around the phone: of both, or of the hand with itself.
Act grip(const Options& options, bool itself) {
  scenes::Pair pair = scenes::hand_and_phone(4'800, 900, 0);
  const std::size_t hand = pair.a.triangles.size(), phone = pair.b.triangles.size();
  const std::vector<Vec3> rest = pair.a.positions;
  std::vector<std::vector<Vec3>> frames;
  for (std::size_t i = 0; i < kFrames; ++i)
    scenes::close_hand(rest, 0.5f * static_cast<float>(i) / (kFrames - 1), frames.emplace_back(rest.size()));
  Detector detector(with_resolution(options, 64));
  const auto view = [&](std::size_t i) { return MeshView{frames[i % kFrames], pair.a.triangles}; };
  if (itself) {
    return timed({"hand with itself", "WSCG-1 self-collision", hand, 0, 64, 4.9, 7.1}, [&](std::size_t i) {
      const SelfOverlap& found = detector.self_intersect(view(i));
      return std::pair{found.volume, &found};
    });
  }
  return timed({"hand and phone", "WSCG-1 collision", hand + phone, 0, 64, 2.8, 4.1}, [&](std::size_t i) {
    const Overlap& found = detector.intersect(view(i), pair.b);
    return std::pair{found.volume, &found};
  });
}

Act knot_and_serpent(const Options& options) {
  const scenes::Pair pair = scenes::overlapping("torus_knot", 12'000, "serpent", 520'000, true);
  Detector detector(with_resolution(options, 128));
  const std::size_t faces = pair.a.triangles.size() + pair.b.triangles.size();
  return timed({"knot and serpent", "TR-fig10 knot/dragon", faces, 0, 128, 256, 0}, [&](std::size_t) {
    const Overlap& found = detector.intersect(pair.a, pair.b);
    return std::pair{found.volume, &found};
  });
}

Act particles(const Options& options) {
  const Mesh serpent = scenes::serpent(520'000);
  const std::vector<Vec3> points = scenes::random_points(serpent, 100'000);
  Detector detector(with_resolution(options, 64));
  const std::size_t faces = serpent.triangles.size();
  return timed({"particles in the serpent", "WSCG-2 high", faces, points.size(), 64, 398.7, 0}, [&](std::size_t) {
    const Containment& found = detector.contains(serpent, points);
    return std::pair{static_cast<double>(found.inside_count), &found};
  });
}

}  // namespace

std::size_t act_count() { return 4; }

std::vector<Act> perform(const Options& options, const std::function<void()>& done) {
  std::vector<Act> acts;
  const auto add = [&](Act act) {
    acts.push_back(std::move(act));
    done();
  };
  add(grip(options, false));
  add(grip(options, true));
  add(knot_and_serpent(options));
  add(particles(options));
  return acts;
}

}  // namespace lamella::cli
