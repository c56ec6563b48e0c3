#pragma once

// Meshes larger than memory: read in parts, in as many passes as a budget of memory needs. Answers have the bits of the
// engine `software` on the same mesh in memory.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// A mesh that is read in parts, in any order and again and again. Derive from it to stream a format of your own.
/// Its functions may be called by several threads at a time, and throw Error when they cannot read.
class LAMELLA_API MeshSource {
 public:
  virtual ~MeshSource();

  [[nodiscard]] virtual std::uint64_t vertex_count() const = 0;    ///< at most 2^32 - 1
  [[nodiscard]] virtual std::uint64_t triangle_count() const = 0;  ///< at most 2^32 - 1
  /// What positions are relative to, as MeshView::origin.
  [[nodiscard]] virtual Vec3d origin() const { return {}; }

  /// Fills `out` with the vertices or triangles from `first` on; there are as many. Calls ask for up to some ten
  /// thousand at a time. Indices need not be checked.
  virtual void read_positions(std::uint64_t first, std::span<Vec3> out) const = 0;
  virtual void read_triangles(std::uint64_t first, std::span<Triangle> out) const = 0;

  /// Throws Error when the mesh is not what it was when it was opened. Called before an answer is given.
  virtual void check_unchanged() const {}

  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }       ///< that one pass reads; 0: in memory
  [[nodiscard]] virtual std::uint64_t bytes_read() const { return 0; }  ///< so far
  [[nodiscard]] virtual std::uint64_t memory() const { return 0; }      ///< bytes that it occupies
  [[nodiscard]] virtual std::string name() const { return {}; }         ///< of its file, as messages show it
};

/// A binary PLY file of triangles: little-endian, coordinates of one type, float or double, indices of 32 bits, rows of
/// at most 65,536 bytes. Other files are an Error that says what to do. Every count is checked against the file's size.
/// The file is read by its handle: one that is shortened or changed meanwhile is an Error. Doubles far from the origin
/// get an origin, as by read_mesh(), which takes a pass over the vertices here.
[[nodiscard]] LAMELLA_API std::unique_ptr<MeshSource> open_streamed_ply(const std::filesystem::path& path);

/// Whether the file is one for open_streamed_ply(), as far as its header tells. False for a PLY of another kind; throws
/// Error for a file that cannot be read, or is damaged.
[[nodiscard]] LAMELLA_API bool is_streamable_ply(const std::filesystem::path& path);

/// A mesh in memory, to be used together with larger ones. The view's arrays must outlive the source.
[[nodiscard]] LAMELLA_API std::unique_ptr<MeshSource> stream_view(MeshView mesh);

/// A mesh and where it is put: scaled first, then placed by the pose, as transform() does.
struct StreamedMesh {
  const MeshSource& source;
  double scale = 1;
  Transform pose{};
};

/// How far a query is. Passes are over the triangles of one mesh; how many there will be is known after the first.
struct StreamProgress {
  unsigned pass = 0;        ///< from 1
  std::uint64_t done = 0;   ///< triangles of this pass
  std::uint64_t total = 0;  ///< likewise
};

struct StreamOptions {
  /// Most bytes, about, that a query may use, besides the code and what its result takes: spans that are kept, flags of
  /// points. Too few for even one row of the image are an Error that says how many are needed.
  std::uint64_t memory = std::uint64_t{2} << 30;
  /// Called now and then, by one thread at a time, not always the same one. What it throws ends the query.
  std::function<void(const StreamProgress&)> progress{};
};

/// What a query took.
struct StreamReport {
  std::uint64_t memory = 0;          ///< the budget
  std::uint64_t used = 0;            ///< the most of it that was in use at a time, by the query's own account
  std::uint32_t passes = 0;          ///< over the triangles of either mesh
  std::uint32_t strips = 0;          ///< that the image was cut into
  std::uint64_t file_bytes = 0;      ///< that one pass over all files reads
  std::uint64_t bytes_read = 0;      ///< from files
  std::uint64_t kept_triangles = 0;  ///< the most that were in memory at a time: those that cover samples of a strip
  bool in_memory[2] = {};            ///< whether the vertices of the first and the second mesh fitted
  /// Whether each mesh is closed, by the sum of is_closed(), over the placed triangles. A mesh that is not closed is
  /// sampled as it is: holes are not filled. Columns that do not close are counted in Health; where the boxes share a
  /// volume, a pair that would be clear is undecided then. Not looked at, and true, where nothing was sampled.
  bool closed[2] = {true, true};
};

// The queries of lamella/query.hpp, with the same answers as Options{.engine = "software", .close_holes = false}.
// Options: with `threads` 0 there are as many threads as have room in a quarter of the budget. `engine` must be
// "automatic" or "software". `tolerance`, `certify`, `exact`, `ends`, `around_points` are refused with an Error: they
// need all triangles at hand. `close_holes` and `close_views` have no effect. Health::skipped_triangles, doubts and
// `strict` work as there.
//
// Cost: a pass over the vertices, one more for a pose and for a scale, unless the vertices fit into half of the budget;
// then one pass over the triangles, and one more for each further strip, when what covers samples does not fit.

[[nodiscard]] LAMELLA_API Overlap intersect(const StreamedMesh& a, const StreamedMesh& b, const Options& options,
                                            const StreamOptions& stream, StreamReport* report = nullptr);

/// Keeps SelfOverlap::inside_out, 12 bytes a span: Error when they take more than an eighth of the budget.
[[nodiscard]] LAMELLA_API SelfOverlap self_intersect(const StreamedMesh& mesh, const Options& options,
                                                     const StreamOptions& stream, StreamReport* report = nullptr);

/// Points that come in parts, and where their flags go.
struct StreamedPoints {
  /// Writes the next points, in world coordinates, to the front of the span, and returns how many; 0: no more.
  std::function<std::size_t(std::span<Vec3d>)> read;
  /// Gets the flags of the points, in order, part by part. Unset: they are collected in Containment::inside.
  std::function<void(std::span<const std::uint8_t>)> write{};
};

/// The points of an .xyz file, or the vertices of a binary .ply, with or without faces. Other files are an Error. So is
/// a coordinate that is NaN, infinite or beyond float's range, when it is read, and a file that was written to
/// meanwhile, when its end is reached.
[[nodiscard]] LAMELLA_API StreamedPoints open_streamed_points(const std::filesystem::path& path);

/// Whether the file is one for open_streamed_points(), as far as its header tells. Throws as is_streamable_ply() does.
[[nodiscard]] LAMELLA_API bool are_streamable_points(const std::filesystem::path& path);

/// Only points in `box`, if there is one, are looked at, as in contains(). Points are taken in parts that grow with
/// their number, up to an eighth of the budget; each further part costs passes only where the triangles that cover
/// samples do not fit.
[[nodiscard]] LAMELLA_API Containment contains(const StreamedMesh& mesh, const StreamedPoints& points,
                                               const std::optional<Aabb>& box, const Options& options,
                                               const StreamOptions& stream, StreamReport* report = nullptr);

}  // namespace lamella
