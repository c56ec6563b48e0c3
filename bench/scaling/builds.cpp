#include "bench/scaling/builds.hpp"

#include <cstring>
#include <memory>

#include "bench/measure.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kBurst = 6;
constexpr Repeat kBursts{.least = 6, .most = 51, .budget_ms = 1000};

/// Sum of the 32-bit words of an array: the least that any build can do is to read it. Four vectors of sums, so that
/// additions do not wait for one another and memory is what limits it.
template <class Element>
[[gnu::noinline]] std::uint32_t sum_words(std::span<const Element> elements) {
  using Words [[gnu::vector_size(16)]] = std::uint32_t;
  const char* p = reinterpret_cast<const char*>(elements.data());
  const char* const end = p + elements.size_bytes();
  const auto load = [&p](std::size_t i) {  // by memcpy: floats cannot be read as integers otherwise
    Words words;
    std::memcpy(&words, p + i * sizeof words, sizeof words);
    return words;
  };
  Words a{}, b{}, c{}, d{};
  for (; end - p >= static_cast<std::ptrdiff_t>(4 * sizeof(Words)); p += 4 * sizeof(Words)) {
    a += load(0);
    b += load(1);
    c += load(2);
    d += load(3);
  }
  const Words all = a + b + c + d;
  std::uint32_t sum = all[0] + all[1] + all[2] + all[3];
  for (std::uint32_t word; p < end; p += sizeof word) {
    std::memcpy(&word, p, sizeof word);
    sum += word;
  }
  return sum;
}

/// Keeps the sums from being optimised away.
volatile std::uint32_t sink;

}  // namespace

double time_stream(MeshView mesh) {
  const cli::Stopwatch watch;
  sink = sum_words(mesh.triangles) + sum_words(mesh.positions);
  return watch.ms();
}

namespace {

/// An engine of its own for each number of threads, with its repetitions.
struct Candidate {
  unsigned threads;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<KeptMesh> kept;  ///< only on a GPU; goes before its engine
  Ldi ldi;
  std::vector<double> ms, stream_ms;
};

double time_build(Candidate& c, MeshView mesh, std::uint32_t resolution) {
  const cli::Stopwatch watch;
  if (c.kept) c.kept->deform(mesh.positions);
  const MeshRef ref = c.kept ? MeshRef(*c.kept) : MeshRef(mesh);
  const Aabb box = c.engine->bounds(ref);
  const auto axis = choose_axis(box);
  if (!axis) throw Error("the mesh encloses no volume: there is nothing to sample");
  c.engine->build(ref, {box, *axis, resolution, resolution}, c.ldi);
  return watch.ms();
}

/// A few builds in a row for each number of threads, as a simulation makes them; where there are several numbers, the
/// first builds of each are not counted, since the others' left its threads asleep.
void build_burst(std::vector<Candidate>& candidates, MeshView mesh, std::uint32_t resolution) {
  const std::size_t uncounted = candidates.size() > 1 ? 2 : 0;
  for (Candidate& c : candidates)
    for (std::size_t i = 0; i < uncounted + kBurst; ++i) {
      const double stream_ms = time_stream(mesh);
      const double ms = time_build(c, mesh, resolution);
      if (i < uncounted) continue;
      c.stream_ms.push_back(stream_ms);
      c.ms.push_back(ms);
    }
}

}  // namespace

std::vector<Row> time_builds(MeshView mesh, std::uint32_t resolution, const BenchEngine& engine,
                             const std::vector<unsigned>& threads) {
  std::vector<Candidate> candidates;
  for (const unsigned n : threads) {
    candidates.push_back({n, make_engine(engine.options(resolution, n)), {}, {}, {}, {}});
    if (engine.gpu) candidates.back().kept = candidates.back().engine->keep(mesh);
  }
  build_burst(candidates, mesh, resolution);
  for (Candidate& c : candidates) {
    c.ms.clear();
    c.stream_ms.clear();
  }
  repeat(kBursts, [&](std::size_t) { build_burst(candidates, mesh, resolution); });
  std::vector<Row> rows;
  for (Candidate& c : candidates) {
    const double ms = median(std::move(c.ms)), stream_ms = median(std::move(c.stream_ms));
    const double first = rows.empty() ? ms : rows.front().number("ms.ldi");
    rows.push_back({{"faces", mesh.triangles.size()},
                    {"resolution", resolution},
                    {"threads", c.threads},
                    {"engine", engine.name},
                    {"ms.ldi", ms},
                    {"stream_ms", stream_ms},
                    {"ratio", ms / stream_ms},
                    {"actual_faces", mesh.triangles.size()},
                    {"crossings", c.ldi.crossings.size()},
                    {"bytes", mesh.triangles.size_bytes() + mesh.positions.size_bytes()},
                    {"speedup", first / ms}});
  }
  return rows;
}

}  // namespace lamella::bench
