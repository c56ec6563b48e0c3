#pragma once

// Clashes of an assembly: which of its parts share a volume, touch, or are closer than they should be; how much, how
// deep, and where. For thousands of parts that are placed once, not for motion: see lamella/scene.hpp for that.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

class ClashCache;  // lamella/clash_cache.hpp

/// A part: a mesh at a place. One mesh may be many parts.
struct AssemblyPart {
  std::string name;        ///< what rules and reports call it
  std::uint32_t mesh = 0;  ///< index into Assembly::meshes
  Transform pose{};        ///< rotate, then translate; in doubles
  std::string group{};     ///< for rules: "group:NAME"; may be empty
  std::string layer{};     ///< for rules: "layer:NAME"; may be empty
};

/// Parts and their meshes. Each mesh is kept once.
struct Assembly {
  std::vector<Mesh> meshes;             ///< sampled as exact_view() gives them, where their doubles close
  std::vector<std::string> mesh_names;  ///< one for each mesh, for reports; may be empty
  std::vector<AssemblyPart> parts;
};

/// How two parts are placed relative to each other, in the order of increasing severity.
enum class ClashClass : std::uint8_t {
  clear,     ///< farther apart than the clearance
  near,      ///< closer than the clearance, and not touching
  touching,  ///< surfaces meet, or are within ClashOptions::touch of each other; nothing deeper is shared
  overlapping,
  /// One part passes right through the other, or is pressed into a hole that is too narrow: in the overlap, the surface
  /// of each part faces two opposite ways.
  piercing,
  contained,  ///< one is wholly inside the other; no corner is farther out than rounding or ClashOptions::touch
  duplicate,  ///< the same solid twice, in the same place
};
inline constexpr std::size_t kClashClasses = 7;

/// "clear", "near", …: the enumerator.
[[nodiscard]] LAMELLA_API std::string_view to_string(ClashClass kind);
[[nodiscard]] LAMELLA_API std::optional<ClashClass> parse_clash_class(std::string_view word);

/// A rule for the pairs of two sets of parts. A set is a pattern: "*" stands for any characters, "?" for one of UTF-8.
/// It is matched against the names of parts, or with "group:" or "layer:" in front against their groups or layers. A
/// pair matches when one part is in `a` and the other in `b`, either way round.
struct ClashRule {
  std::string name{};  ///< for reports
  std::string a = "*", b = "*";
  bool ignore = false;  ///< do not test these pairs
  /// A length: parts closer than this are `near`. Unset: ClashOptions::clearance.
  std::optional<double> clearance = std::nullopt;
  double allowed_depth = 0;  ///< an overlap that is not deeper is allowed, as in a press fit
  /// An overlap that is not larger is allowed; its error bar and what holes may add are counted. It is not allowed if
  /// the verdict is undecided, or if columns or triangles were left out: it may then be larger.
  double allowed_volume = 0;
  bool allow_contact = false;  ///< any overlap, contact or gap is allowed: reported as allowed, and never fails
};
inline constexpr std::uint32_t kNoRule = ~std::uint32_t{0};

/// Whether a part is in a set of a rule.
[[nodiscard]] LAMELLA_API bool is_in_clash_set(std::string_view set, const AssemblyPart& part);

/// Many sets at once, for many parts: finds those that a part is in without a look at each.
class LAMELLA_API ClashSets {
 public:
  explicit ClashSets(std::vector<std::string> sets);
  ~ClashSets();
  ClashSets(ClashSets&&) noexcept;
  ClashSets& operator=(ClashSets&&) noexcept;

  /// The numbers of the sets that the part is in, ascending, in place of what `numbers` had.
  void find(const AssemblyPart& part, std::vector<std::uint32_t>& numbers);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// Which way out is measured for parts that overlap.
enum class WayOut : std::uint8_t {
  none,
  normal,    ///< along the mean normal of the surfaces in the overlap: a way out, not always the shortest
  shortest,  ///< separation(): looked for in all directions; some milliseconds a pair
};

struct ClashOptions {
  std::string engine = "automatic";                   ///< of the volumes: "software" or "cuda"; automatic: software
  std::uint32_t resolution = 128;                     ///< columns and rows for each pair, over the box that both share
  std::optional<Tolerance> tolerance = std::nullopt;  ///< as Options::tolerance
  bool certify = false;                               ///< prove the verdict of every pair, as Options::certify
  unsigned threads = 0;                               ///< 0: all cores this process may use
  std::optional<unsigned> device = std::nullopt;      ///< as Options::device
  bool close_holes = true;                            ///< as Options::close_holes
  double clearance = 0;                               ///< of pairs that no rule matches, or whose rule has none
  /// A length. Parts that are at most this far apart, and overlaps that are at most this deep, are `touching`:
  /// tessellated parts that are in contact always overlap a little.
  double touch = 0;
  WayOut way_out = WayOut::normal;
  bool keep_clear = false;         ///< also list candidates that are clear
  std::vector<ClashRule> rules{};  ///< the first that matches a pair decides
  /// Pairs of parts that are not tested, whatever the rules say; in any order. For a ClashShare: numbers of its parts.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored{};
  /// Candidates: pairs of parts whose boxes, widened by their clearance, meet. More are an Error.
  std::uint64_t max_candidates = std::uint64_t{1} << 26;
  /// Called now and then with the candidates that are done, and all; from the thread that called find_clashes().
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
  /// Asked now and then, from the same thread; when it returns true the report ends with what is known by then
  /// (ClashReport::complete is false).
  std::function<bool()> stop{};
  /// Pairs whose answers it has are not tested again; new answers are added to it.
  std::shared_ptr<ClashCache> cache{};
};

/// A connected volume that two parts share.
struct ClashRegion {
  double volume = 0;
  Vec3d centroid{};
  Vec3d min{}, max{};  ///< bounds
};

/// Two parts. Everything is in world coordinates.
struct ClashPair {
  std::uint32_t a = 0, b = 0;    ///< parts, a < b
  std::uint32_t rule = kNoRule;  ///< index into ClashOptions::rules
  ClashClass kind = ClashClass::clear;
  /// Whether they share a volume. Undecided: something that was left out, holes, or faces that point inwards could
  /// change it; `kind` is then the class that seems most likely.
  Verdict verdict = Verdict::clear;
  bool certain = false;       ///< the verdict is proved by exact arithmetic
  bool allowed = false;       ///< the rule allows this overlap
  double volume = 0;          ///< shared
  double volume_error = 0;    ///< as Overlap::volume_error
  bool tolerance_met = true;  ///< as Overlap::tolerance_met
  double distance = 0;        ///< of the surfaces; 0 where they overlap or touch
  Vec3d on_a{}, on_b{};       ///< the two points nearest to each other; not for parts that overlap
  /// How far a must move along `way_out` until nothing overlaps. For pairs that overlap. Proved by exact arithmetic to
  /// a hundredth, but where meshes do not close: there it is as far as rays see, which miss what is between them.
  double depth = 0;
  Vec3d way_out{};                 ///< unit; of a; 0 where there is none
  Vec3d centroid{};                ///< of the shared volume; else halfway between on_a and on_b
  Vec3d min{}, max{};              ///< bounds of the shared volume; else of on_a and on_b
  std::uint32_t region_count = 0;  ///< connected volumes that they share; those narrower than a column may be missed
  std::vector<ClashRegion> regions{};  ///< of these the largest, at most 64; the largest first
  std::vector<Doubt> doubts{};         ///< why the verdict is undecided, or what the answer leaves out
};

/// Pairs that are one finding: of the same two meshes, class and rule. One screw in forty holes is one finding with
/// forty places.
struct ClashFinding {
  std::uint32_t mesh_a = 0, mesh_b = 0;  ///< mesh_a <= mesh_b
  ClashClass kind = ClashClass::clear;
  std::uint32_t rule = kNoRule;
  bool allowed = false;
  bool undecided = false;              ///< the verdicts of its pairs are
  std::vector<std::uint32_t> pairs{};  ///< indices into ClashReport::pairs, the worst first
  double largest_volume = 0, total_volume = 0, largest_depth = 0;
  double smallest_distance = std::numeric_limits<double>::infinity();
};

struct ClashReport {
  std::vector<ClashPair> pairs;        ///< ascending by (a, b); clear ones only with ClashOptions::keep_clear
  std::vector<ClashFinding> findings;  ///< the worst first
  std::uint64_t part_count = 0, mesh_count = 0, triangle_count = 0;
  std::uint64_t candidate_count = 0;  ///< pairs whose boxes meet, that no rule ignores
  std::uint64_t tested_count = 0;     ///< of these; fewer when it was stopped
  std::uint64_t reused_count = 0;     ///< of these; their answers are from ClashOptions::cache
  std::uint64_t ignored_count = 0;    ///< pairs whose boxes meet, and that a rule or ClashOptions::ignored leaves out
  /// Parts without a usable triangle, or all of whose vertices are in one place: tested against nothing. Ascending.
  std::vector<std::uint32_t> unusable_parts;
  /// Other parts with triangles that cannot be used, as their vertices are not finite or too far away: what should be
  /// there was tested against nothing. Ascending.
  std::vector<std::uint32_t> damaged_parts;
  bool complete = true;
  double broad_ms = 0, pairs_ms = 0, total_ms = 0;
  std::string engine;

  [[nodiscard]] std::uint64_t count(ClashClass kind) const;  ///< of pairs that are not allowed
  [[nodiscard]] std::uint64_t undecided_count() const;
};

/// All clashes of an assembly. Throws Error for a part whose mesh does not exist or whose pose is not finite, for an
/// index out of range, and for options out of range. The same answer for any number of threads.
[[nodiscard]] LAMELLA_API ClashReport find_clashes(const Assembly& assembly, const ClashOptions& options = {});

/// A box of a part, in world coordinates.
struct PartBox {
  Vec3d min{}, max{};
  bool damaged = false;  ///< the part is one of ClashReport::damaged_parts
};

/// A box around each part's placed vertices, wider by their rounding; NaN for a part of ClashReport::unusable_parts.
/// Throws Error as find_clashes() does.
[[nodiscard]] LAMELLA_API std::vector<PartBox> part_boxes(std::span<const MeshView> meshes,
                                                          std::span<const AssemblyPart> parts,
                                                          const ClashOptions& options = {});
/// The largest clearance: two parts can clash only if their boxes, widened by half of it on every side, meet.
[[nodiscard]] LAMELLA_API double clash_reach(const ClashOptions& options);

/// Meshes that are used in place, in memory that does not change while `owner` is kept.
struct HeldMeshes {
  HeldMeshes() = default;
  HeldMeshes(std::vector<MeshView> in_place, std::shared_ptr<const void> kept_by)
      : views(std::move(in_place)), owner(std::move(kept_by)) {}
  HeldMeshes(std::vector<Mesh> own) {  // NOLINT: a loader may give meshes of its own
    const auto kept = std::make_shared<const std::vector<Mesh>>(std::move(own));
    for (const Mesh& mesh : *kept) views.push_back(exact_view(mesh));
    owner = kept;
  }

  std::vector<MeshView> views;
  std::shared_ptr<const void> owner;
};

/// Returns meshes by their numbers, in the same order. They are released when the pairs that need them have been
/// tested.
using MeshesByNumber = std::function<HeldMeshes(std::span<const std::uint32_t> meshes)>;

/// A part of an assembly that is spread over several processes: the parts in some region of space and around it. Each
/// pair belongs to the process that owns the low corner of what the widened boxes of its parts share (clash_reach()),
/// so that none is lost and none is reported twice. `lamella/mpi.hpp` does all of that on MPI. A pair's answer does not
/// depend on the share that it is in.
class LAMELLA_API ClashShare {
 public:
  /// `boxes`: from part_boxes(), one for each part. `load` returns the meshes that parts name when pairs need them;
  /// only those of up to a thousand pairs are in memory at a time. Throws Error for options out of range, and when
  /// there are not as many boxes as parts.
  ClashShare(std::vector<AssemblyPart> parts, std::vector<PartBox> boxes, MeshesByNumber load,
             ClashOptions options = {});
  ~ClashShare();
  ClashShare(ClashShare&&) noexcept;
  ClashShare& operator=(ClashShare&&) noexcept;

  /// The report of the pairs for whose low corner `owns` returns true; of all pairs when `owns` is empty. Pairs name
  /// parts by their numbers in the share. Triangles and meshes are not counted. Throws Error as find_clashes() does.
  [[nodiscard]] ClashReport find(const std::function<bool(Vec3d low_corner)>& owns = {});

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

/// The findings of pairs, the worst first: what find_clashes() does at the end.
[[nodiscard]] LAMELLA_API std::vector<ClashFinding> group_clashes(std::span<const AssemblyPart> parts,
                                                                  std::span<const ClashPair> pairs);

}  // namespace lamella
