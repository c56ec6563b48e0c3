// The queries on meshes that are read in parts: the software engine's own consumers of tiles, fed strip by strip.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/voi_choice.hpp"
#include "engines/answer.hpp"
#include "engines/checks.hpp"
#include "engines/software/tile_queries.hpp"
#include "lamella/error.hpp"
#include "stream/checks.hpp"
#include "stream/judge.hpp"
#include "stream/query.hpp"
#include "stream/session.hpp"

namespace lamella::stream {
namespace {

constexpr std::string_view kEngine = "software";

/// Bytes of the answer's own spans.
std::uint64_t bytes_of_spans(const Overlap& out) { return out.spans.capacity() * sizeof(Span); }

void check_spans_room(std::uint64_t bytes, const Limits& limits) {
  if (bytes <= limits.span_bytes) return;
  throw Error(
      fmt::format("the answer's spans take {} bytes, more than the {} that there are for them: allow more memory, "
                  "or sample more coarsely",
                  bytes, limits.span_bytes));
}

/// Passes tiles on, and looks whether the answer still fits.
class Checked final : public software::TileConsumer {
 public:
  Checked(software::TileConsumer& to, std::function<void()> check) : to_(to), check_(std::move(check)) {}
  void start(const software::Tiling& tiling) override { to_.start(tiling); }
  void begin_rows(std::uint32_t first, std::uint32_t end) override { to_.begin_rows(first, end); }
  void take(std::size_t tile, std::span<software::Layers> sides, unsigned worker) override {
    to_.take(tile, sides, worker);
  }
  void finish_rows(std::uint32_t first, std::uint32_t end) override {
    to_.finish_rows(first, end);
    check_();
  }

 private:
  software::TileConsumer& to_;
  std::function<void()> check_;
};

/// With `strict`, also what sampling did not see.
void require_closed(const Overlap& out, const StreamReport& report) {
  if (report.closed[0] && report.closed[1]) return;
  std::string reasons;
  for (const Doubt& doubt : out.doubts) reasons += (reasons.empty() ? "" : "; ") + describe(doubt);
  throw Error("strict: " + reasons);
}

/// `ask` gives the tiles their question.
template <class Result, class Ask>
void answer(Session& session, const std::optional<Grid>& grid, const Options& options, const StreamOptions& stream,
            const Limits& limits, Stopwatch& watch, const Ask& ask, Result& out, StreamReport& report) {
  QueryOptions query = options.for_query();
  query.explain = query.explain || query.strict;
  StreamSampler& sampler = session.sampler();
  std::vector<Span> longest;
  constexpr bool kSelf = std::is_same_v<Result, SelfOverlap>;
  const std::uint64_t room = session.room(options.keep_spans || kSelf ? limits.span_bytes : 0);
  if (grid) {
    software::OverlapTiles tiles(sampler.workers());
    sampler.start(session.meshes(), *grid, room);
    ask(tiles, query);
    Checked checked(tiles, [&] {
      std::uint64_t bytes = bytes_of_spans(out);
      if constexpr (kSelf) bytes += out.inside_out.capacity() * sizeof(Span);
      check_spans_room(bytes, limits);
    });
    constexpr std::array<unsigned, 2> kSides{0, 1};
    sampler.run(std::span(kSides).first(session.meshes().size()), checked);
    tiles.finish();
    tiles.longest_spans(longest);
    for (unsigned i = 0; i < session.meshes().size(); ++i) out.health.skipped_triangles += sampler.skipped(i);
  } else {
    out.health.skipped_triangles = session.broken();
  }
  count_spans(out);
  if (longest.empty() && !out.spans.empty()) longest_of_chunks(out.grid, out.spans, longest);
  judge(sampler, session.meshes(), query, room, longest, out);
  if (grid) judge_closed(sampler, session.meshes().size(), out);
  out.centroid = out.centroid + (out.colliding() ? out.origin : Vec3d{});
  if (!options.keep_spans) out.spans.clear();
  watch.lap(out.ms.ldi);
  out.ms.query = std::min(out.ms.ldi, sampler.consumer_ms());
  out.ms.ldi -= out.ms.query;
  session.finish(stream, grid.has_value(), report);
  require_answer(out, options.strict);
  if (options.strict) require_closed(out, report);
}

}  // namespace

void intersect(const StreamedMesh& a, const StreamedMesh& b, const Options& options, const StreamOptions& stream,
               const Limits& limits, Overlap& out, StreamReport& report) {
  check_stream_options(options);
  check_placement(a);
  check_placement(b);
  restart(out, kEngine, false);
  Stopwatch watch;
  const std::array<StreamedMesh, 2> meshes{a, b};
  Session session(meshes, options, stream, limits);
  out.origin = session.origin();
  const auto voi = choose_shared_voi(session.mesh(0).box(), session.mesh(1).box(), options.axis);
  watch.lap(out.ms.voi);
  std::optional<Grid> grid;
  if (voi) grid = square_grid(voi->box, voi->axis, options.resolution);
  answer(
      session, grid, options, stream, limits, watch,
      [&](software::OverlapTiles& tiles, const QueryOptions& query) { tiles.ask_pair(*grid, query, out); }, out,
      report);
}

void self_intersect(const StreamedMesh& mesh, const Options& options, const StreamOptions& stream, const Limits& limits,
                    SelfOverlap& out, StreamReport& report) {
  check_stream_options(options);
  check_placement(mesh);
  restart(out, kEngine, false);
  Stopwatch watch;
  Session session({&mesh, 1}, options, stream, limits);
  out.origin = session.origin();
  const Aabb box = session.mesh(0).box();
  const auto axis = choose_axis(box);
  watch.lap(out.ms.voi);
  std::optional<Grid> grid;
  if (axis) grid = square_grid(box, options.axis.value_or(*axis), options.resolution);
  answer(
      session, grid, options, stream, limits, watch,
      [&](software::OverlapTiles& tiles, const QueryOptions& query) { tiles.ask_self(*grid, query, out); }, out,
      report);
}

}  // namespace lamella::stream

namespace lamella {
Overlap intersect(const StreamedMesh& a, const StreamedMesh& b, const Options& options, const StreamOptions& stream,
                  StreamReport* report) {
  Overlap out;
  StreamReport unused;
  const StreamedMesh* const meshes[] = {&a, &b};
  Options fitted = options;
  const stream::Limits limits = stream::limits_of(meshes, stream, fitted);
  stream::intersect(a, b, fitted, stream, limits, out, report != nullptr ? *report : unused);
  return out;
}

SelfOverlap self_intersect(const StreamedMesh& mesh, const Options& options, const StreamOptions& stream,
                           StreamReport* report) {
  SelfOverlap out;
  StreamReport unused;
  const StreamedMesh* const meshes[] = {&mesh};
  Options fitted = options;
  const stream::Limits limits = stream::limits_of(meshes, stream, fitted);
  stream::self_intersect(mesh, fitted, stream, limits, out, report != nullptr ? *report : unused);
  return out;
}

}  // namespace lamella
