// The works of `lamella bench scaling` on one thread, by faces and by resolution: LDIs of a mesh, and two queries. The
// same file is compiled natively and as WebAssembly. Prints a line for each work: its name, the median in milliseconds,
// a hash of the answer. An argument (SSE4, AVX2, ...) holds a native program to one instruction set.

#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "scenes/models.hpp"

namespace {

using namespace lamella;

constexpr double kWarmMs = 400;  ///< V8 compiles hot functions a second time
constexpr std::size_t kLeast = 9, kMost = 101;
constexpr double kBudgetMs = 700;

double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class T>
std::uint32_t hash_of(const std::vector<T>& items) {
  std::uint32_t hash = 2166136261u;
  const auto* p = reinterpret_cast<const unsigned char*>(items.data());
  for (std::size_t i = 0; i < items.size() * sizeof(T); ++i) hash = (hash ^ p[i]) * 16777619u;
  return hash;
}

template <class Work>
void measure(const std::string& name, const Work& work) {
  std::uint32_t hash = 0;
  for (const double end = now() + kWarmMs; now() < end;) hash = work();
  std::vector<double> ms;
  for (const double end = now() + kBudgetMs; ms.size() < kLeast || (now() < end && ms.size() < kMost);) {
    const double begin = now();
    (void)work();
    ms.push_back(now() - begin);
  }
  std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
  std::printf("%s %.4f %08x\n", name.c_str(), ms[ms.size() / 2], hash);
  std::fflush(stdout);
}

void measure_build(const Mesh& mesh, std::uint32_t resolution) {
  const auto engine = make_engine({.engine = "software", .resolution = resolution, .threads = 1});
  Ldi ldi;
  const std::string name = "build/" + std::to_string(mesh.triangles.size()) + "/" + std::to_string(resolution);
  bool hashed = false;
  std::uint32_t hash = 0;
  measure(name, [&] {
    const Aabb box = engine->bounds(mesh);
    engine->build(mesh, {box, *choose_axis(box), resolution, resolution}, ldi);
    if (!hashed) hash = hash_of(ldi.crossings);
    hashed = true;
    return hash;
  });
}

void measure_queries(const Mesh& a, const Mesh& b, std::uint32_t resolution) {
  Detector detector({.engine = "software", .resolution = resolution, .threads = 1});
  std::uint32_t hash = 0;
  const std::string size = std::to_string(a.triangles.size()) + "/" + std::to_string(resolution);
  measure("intersect/" + size, [&] {
    const Overlap& overlap = detector.intersect(a, b);
    if (hash == 0) hash = hash_of(overlap.spans);
    return hash;
  });
  hash = 0;
  measure("self/" + size, [&] {
    const SelfOverlap& overlap = detector.self_intersect(a);
    if (hash == 0) hash = static_cast<std::uint32_t>(overlap.span_count) + 1;
    return hash;
  });
}

#if !defined(__EMSCRIPTEN__)
bool hold_to(const char* name) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    if (std::strcmp(hwy::TargetName(target), name) == 0) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().DeInit();
      return true;
    }
  return false;
}
#endif

void measure_all() {
  for (const std::size_t faces : {5'000, 50'000, 150'000, 520'000}) measure_build(scenes::torus_knot(faces), 128);
  const Mesh knot = scenes::torus_knot(520'000), small = scenes::torus_knot(12'000, 0.35f);
  for (const std::uint32_t resolution : {32u, 256u, 512u, 1024u}) measure_build(knot, resolution);
  measure_queries(knot, small, 128);
}

}  // namespace

#if defined(__EMSCRIPTEN__)
int main() { measure_all(); }  // without arguments, as LLVM and Emscripten of different ages disagree about them
#else
int main(int count, char** arguments) {
  if (count > 1 && !hold_to(arguments[1])) {
    std::fprintf(stderr, "%s: this machine does not have it\n", arguments[1]);
    return 2;
  }
  measure_all();
  return 0;
}
#endif
