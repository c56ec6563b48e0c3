#pragma once

#include <functional>
#include <string>

#include "answer/query.hpp"
#include "cli/options.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "lamella/solid.hpp"

namespace lamella::cli {

// Answers as the JSON of the contract (apps/answer).
using answer::certificate_json;
using answer::contain_json;
using answer::gradient_json;
using answer::health_json;
using answer::overlap_json;
using answer::patch_json;
using answer::plain_json;
using answer::self_json;
using answer::Subjects;

// The same for people, as lines on stdout.

void print_overlap(const Overlap& overlap, const Subjects& subjects);
/// Grid, health in words, engine and times: the end of every answer.
void print_circumstances(const Grid& grid, Vec3d origin, const std::string& health, const Timings& ms,
                         const std::string& engine, const Subjects& subjects);

/// A line about what the engine took for granted and could not check (Overlap::alternating); nothing otherwise.
void print_assumption(bool alternating, const std::string& engine);

/// The health in words, with what to do about it. `doubt` says what leaving columns out means for the answer.
[[nodiscard]] std::string describe(const Health& health, const Subjects& subjects, const std::string& doubt);
/// `doubt` of a volume.
[[nodiscard]] std::string doubt_of_volume(const Health& health);

/// Whether all that was sampled is inside out.
[[nodiscard]] bool all_inside_out(const Health& health);
/// For --strict: throws an Error that names the files, unless the answer is decided and the health ok.
void require_answer(const Overlap& overlap, bool strict, const Subjects& subjects);

/// Writes the overlap as a mesh, for --volume; does nothing when no file was asked for. Without overlap no file is
/// written, and a line on stderr says so. `solid` makes the smooth form, which the options say how to sample.
void write_volume(const QueryArgs& args, const Overlap& overlap,
                  const std::function<OverlapSolid(const SolidOptions&)>& solid);

}  // namespace lamella::cli
