// Two equal objects, as in the caption of figure 12 of "GI-COLLIDE", and images against plain meshes, by their sizes.

#include <fmt/core.h>

#include "bench/gi/images.hpp"
#include "bench/gi/paper_times.hpp"
#include "bench/gi/queries.hpp"
#include "bench/gi/tables.hpp"
#include "cli/progress.hpp"
#include "scenes/crowd.hpp"
#include "simulate/bunnies.hpp"

namespace lamella::bench {
namespace {

/// The rabbit is made at this size; larger images are the same surface, cut finer.
constexpr int kMadeLevels = 8, kQuickMadeLevels = 6;

unsigned passes(const GiArgs& args) { return args.quick ? 1 : 5; }
int made_levels(const GiArgs& args) { return args.quick ? kQuickMadeLevels : kMadeLevels; }
std::vector<int> ground_levels(bool quick) { return quick ? std::vector{9, 10} : std::vector{9, 10, 11, 12, 13}; }

/// Poses in which a body touches itself, and poses in which it just does not.
struct Placements {
  Placements(const ImageBody& body, std::size_t count, double gap) {
    for (const Closeness& c : close_placements(body, count, gap)) {
      touching.push_back({c.a, c.touching});
      apart.push_back({c.a, c.apart});
    }
  }

  std::vector<PosePair> touching, apart;
};

/// A row for either kind of placement, after what they have in common.
template <class Other>
void add_placed_rows(Table& table, const Row& common, const ImageBody& body, const Other& other,
                     const Placements& placements, unsigned pass_count) {
  for (const bool touching : {true, false}) {
    Row row = common;
    row.set({"placed", touching ? "touching" : "apart"});
    row.set(time_queries(body, other, touching ? placements.touching : placements.apart, pass_count));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

Table equal_table(const GiPlan& plan) {
  const GiArgs& args = plan.args;
  Table table{.name = "equal",
              .title = fmt::format(
                  "Two equal objects ({}), first collision, one thread; the caption of figure 12. Touching: they "
                  "share a hundredth of\ntheir radius; apart: they miss each other by a thousandth",
                  model_text(args)),
              .columns = query_columns("both=size:square|placed")};
  cli::Progress progress("equal objects");
  const auto rabbit = bench_body(args, made_levels(args), simulate::BunnyOptions{}.radius);
  const Placements placements(*rabbit, args.quick ? 10 : 50, 0.001);
  const std::vector<int> sizes = ground_levels(args.quick);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int n = sizes[i];
    progress.update(i, sizes.size());
    if (const std::uint64_t needed = body_bytes(n) * rabbit->images.size(); !memory_allows(needed + needed / 2)) {
      table.findings += left_out_text(n, needed);
      continue;
    }
    const ImageBody body = resized(*rabbit, n);
    add_placed_rows(table, {{"size", image_side(n)}}, body, body, placements, passes(args));
    for (std::size_t row = table.rows.size() - 2; row < table.rows.size(); ++row)
      set_paper_times(table.rows[row], n, "ms.median");
  }
  return table;
}

Table mesh_table(const GiPlan& plan) {
  const GiArgs& args = plan.args;
  const int levels = made_levels(args);
  Table table{.name = "mesh",
              .title = fmt::format("The rabbit's image, {} vertices, against the rabbit as a plain mesh, for which "
                                   "nothing is prepared;\nfirst collision, one thread. They share, or miss each other "
                                   "by, a hundredth of their radius",
                                   image_size(levels)),
              .columns = query_columns("mesh faces=faces|placed")};
  cli::Progress progress("image against mesh");
  const double radius = simulate::BunnyOptions{}.radius;
  const auto rabbit = simulate::make_bunny(levels, radius, 0);
  const Placements placements(*rabbit, args.quick ? 5 : 30, 0.01);
  for (const std::size_t faces : args.quick ? std::vector{10'000u} : std::vector{10'000u, 100'000u}) {
    const Mesh mesh = scenes::crowd_body("rabbit", faces, radius);
    add_placed_rows(table, {{"faces", mesh.triangles.size()}, {"size", image_side(levels)}}, *rabbit, MeshView(mesh),
                    placements, passes(args));
  }
  return table;
}

}  // namespace lamella::bench
