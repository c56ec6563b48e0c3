// Clashes of an assembly that is parted in space. Each process looks at an equal share of the parts' numbers; parts go
// to the processes that keep their meshes, which find their boxes, and from there to the processes whose regions their
// boxes meet. A pair belongs to the process that owns the low corner of what its boxes share: both its parts are there.
// Meshes are taken for some pairs at a time, in place where the node has them. Answers go to rank 0.

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clash/part_check.hpp"
#include "lamella/clash_cache.hpp"
#include "lamella/error.hpp"
#include "lamella/mpi.hpp"
#include "mpi/check_meshes.hpp"
#include "mpi/clash.hpp"
#include "mpi/gather.hpp"
#include "mpi/mesh_store.hpp"
#include "mpi/place.hpp"
#include "mpi/records.hpp"
#include "mpi/space.hpp"

namespace lamella::mpi {
namespace {

std::vector<std::uint32_t> meshes_of(std::span<const NumberedPart> parts) {
  std::vector<std::uint32_t> meshes;
  for (const NumberedPart& p : parts) meshes.push_back(p.part.mesh);
  std::sort(meshes.begin(), meshes.end());
  meshes.erase(std::unique(meshes.begin(), meshes.end()), meshes.end());
  return meshes;
}

/// A part with its box, on its way to who tests it.
struct BoxedPart {
  NumberedPart part;
  PartBox box;
};

PartBox widened(PartBox box, double by) {
  const Vec3d margin{by, by, by};
  return {box.min - margin, box.max + margin};
}

/// Pairs that are not to be tested, of parts that are here, by their numbers here.
std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored_here(
    std::span<const std::pair<std::uint32_t, std::uint32_t>> ignored, std::span<const NumberedPart> parts) {
  const auto here = [&](std::uint32_t number) -> std::optional<std::uint32_t> {
    const auto at = std::lower_bound(parts.begin(), parts.end(), number,
                                     [](const NumberedPart& p, std::uint32_t n) { return p.number < n; });
    if (at == parts.end() || at->number != number) return std::nullopt;
    return static_cast<std::uint32_t>(at - parts.begin());
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const auto& [x, y] : ignored) {
    const auto a = here(x), b = here(y);
    if (a && b) out.emplace_back(*a, *b);
  }
  return out;
}

class DistributedClash {
 public:
  /// Throws nothing: what may fail is in find(), where the others learn of it.
  DistributedClash(const PartSource& source, const NodeOf& node_of)
      : source_(source), all_(job_.processes()), node_(all_, node_of), on_node_(node_.processes()) {}

  GatheredClashes find(const ClashOptions& options, const ShareOptions& share) {
    std::optional<MeshStore> meshes;  // goes only when all processes let it go
    try {
      together(all_, [&] {
        options_ = options;
        take_place(on_node_, options_);
        if (all_.rank() != 0) options_.progress = {};
        meshes.emplace(all_, on_node_, source_.mesh_count, source_.keeper);
      });
      return find(*meshes, share);
    } catch (const FailedTogether&) {
      throw;
    } catch (...) {  // here alone: the others wait
      end_job(failure_caught().text);
    }
  }

 private:
  GatheredClashes find(MeshStore& meshes, const ShareOptions& share) {
    together(all_, [&] {
      if (!share.cache.empty())
        options_.cache = std::make_shared<ClashCache>(share.cache, static_cast<unsigned>(all_.rank()));
    });
    const std::vector<NumberedPart> parts = with_boxes(meshes, share);
    ClashReport mine;
    together(all_, [&] { meshes.share_during([&] { mine = found_here(meshes, parts); }); });
    return gathered(mine, parts, share, meshes);
  }

  ClashReport found_here(MeshStore& meshes, std::span<const NumberedPart> parts) {
    ClashOptions options = options_;
    options.ignored = ignored_here(options_.ignored, parts);
    std::vector<AssemblyPart> own;
    own.reserve(parts.size());
    for (const NumberedPart& p : parts) own.push_back(p.part);
    const auto load = [&](std::span<const std::uint32_t> numbers) { return meshes.hold(numbers); };
    return ClashShare(std::move(own), std::move(boxes_), load, options).find([&](Vec3d low) {
      return space_->owner(low) == all_.rank();
    });
  }

  /// The parts of this process's region, ascending by number; their boxes go to `boxes_`.
  std::vector<NumberedPart> with_boxes(MeshStore& meshes, const ShareOptions& share) {
    std::vector<NumberedPart> kept, here;
    std::vector<std::uint32_t> numbers;
    std::vector<Bytes> travelling = all_.exchange(parts_by_keeper(meshes));
    together(all_, [&] {
      kept = take_parts(std::move(travelling));
      numbers = meshes_of(kept);
      meshes.load(numbers, source_.mesh);
    });
    meshes.keep(share.mesh_memory);
    check_meshes(all_, meshes, numbers, source_.mesh_name);
    std::vector<PartBox> boxes, wide;
    together(all_, [&] {
      boxes = boxes_of(kept, numbers, meshes);
      for (const PartBox& box : boxes) wide.push_back(widened(box, 0.5 * clash_reach(options_)));
    });
    space_.emplace(all_, wide);
    together(all_, [&] { travelling = parts_by_region(kept, boxes, wide); });
    travelling = all_.exchange(travelling);
    together(all_, [&] { here = received(travelling); });
    return here;
  }

  /// This process's share of the parts' numbers, as bytes for the processes that keep their meshes.
  std::vector<Bytes> parts_by_keeper(const MeshStore& meshes) const {
    const PartRange mine = part_share(source_.part_count, all_.rank(), all_.size());
    std::vector<Bytes> to_each(static_cast<std::size_t>(all_.size()));
    together(all_, [&] {
      for (std::uint64_t i = mine.begin; i < mine.end; ++i) {
        const NumberedPart part{static_cast<std::uint32_t>(i), source_.part(i)};
        clash::check_part(part.part, i, source_.mesh_count);
        put(to_each[static_cast<std::size_t>(meshes.keeper(part.part.mesh))], part);
      }
    });
    return to_each;
  }

  /// Of parts whose meshes this process keeps.
  std::vector<PartBox> boxes_of(std::span<const NumberedPart> kept, std::span<const std::uint32_t> numbers,
                                const MeshStore& meshes) {
    std::vector<MeshView> views;
    for (const std::uint32_t number : numbers) views.push_back(meshes.view(number));
    std::vector<AssemblyPart> parts;
    for (const NumberedPart& p : kept) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), p.part.mesh) - numbers.begin();
      parts.push_back({.name = p.part.name, .mesh = static_cast<std::uint32_t>(at), .pose = p.part.pose});
      triangles_ += views[static_cast<std::size_t>(at)].triangles.size();
    }
    return part_boxes(views, parts, options_);
  }

  std::vector<Bytes> parts_by_region(std::span<const NumberedPart> kept, std::span<const PartBox> boxes,
                                     std::span<const PartBox> wide) {
    std::vector<Bytes> to_each(static_cast<std::size_t>(all_.size()));
    std::vector<int> owners;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!(boxes[i].min.x <= boxes[i].max.x)) unusable_.push_back(kept[i]);
      if (boxes[i].damaged) damaged_.push_back(kept[i]);
      space_->owners(wide[i], owners);
      for (const int rank : owners) {
        put(to_each[static_cast<std::size_t>(rank)], kept[i]);
        put(to_each[static_cast<std::size_t>(rank)], boxes[i]);
      }
    }
    return to_each;
  }

  std::vector<NumberedPart> received(const std::vector<Bytes>& from_each) {
    std::vector<BoxedPart> here;
    for (const Bytes& bytes : from_each)
      for (Taker taker(bytes); !taker.empty();) {
        NumberedPart part = take_part(taker);
        here.push_back({std::move(part), taker.take<PartBox>()});
      }
    std::sort(here.begin(), here.end(),
              [](const BoxedPart& x, const BoxedPart& y) { return x.part.number < y.part.number; });
    std::vector<NumberedPart> parts;
    for (BoxedPart& p : here) {
      parts.push_back(std::move(p.part));
      boxes_.push_back(p.box);
    }
    return parts;
  }

  GatheredClashes gathered(const ClashReport& mine, std::span<const NumberedPart> parts, const ShareOptions& share,
                           MeshStore& meshes) {
    std::array<std::uint64_t, 5> sums{mine.candidate_count, mine.tested_count, mine.ignored_count, triangles_,
                                      mine.reused_count};
    all_.sum(sums);
    GatheredClashes out;
    ClashReport& report = out.report;
    report.complete = all_.all(mine.complete);
    std::array<double, 3> times{-mine.broad_ms, -mine.pairs_ms, -mine.total_ms};  // of the slowest
    all_.least(times);
    std::map<std::uint32_t, AssemblyPart> known;
    gather_pairs(all_, mine, parts, known, report.pairs);
    gather_parts(all_, unusable_, known, report.unusable_parts);
    gather_parts(all_, damaged_, known, report.damaged_parts);
    const MeshTravels travels = travels_of_all(meshes);
    const auto fill = [&] {
      if (all_.rank() != 0) return;
      out.travels = travels;
      report.part_count = source_.part_count;
      report.mesh_count = source_.mesh_count;
      report.candidate_count = sums[0];
      report.tested_count = sums[1];
      report.ignored_count = sums[2];
      report.triangle_count = sums[3];
      report.reused_count = sums[4];
      report.broad_ms = -times[0];
      report.pairs_ms = -times[1];
      report.total_ms = -times[2];
      report.engine = mine.engine;
      fill_assembly(known, out, share, meshes);
    };
    together(all_, [&] { share.meshes ? meshes.share_during(fill) : fill(); });
    return out;
  }

  MeshTravels travels_of_all(const MeshStore& meshes) const {
    const MeshTravels t = meshes.travels();
    std::array<std::uint64_t, 6> sums{t.in_place, t.fetched, t.fetched_bytes, t.shared, t.dropped, t.unshared};
    all_.sum(sums);
    return {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  }

  /// The parts of pairs, and their meshes, renumbered.
  void fill_assembly(std::map<std::uint32_t, AssemblyPart>& known, GatheredClashes& out, const ShareOptions& share,
                     MeshStore& meshes) {
    std::map<std::uint32_t, std::uint32_t> part_of, mesh_of;
    for (auto& [number, part] : known) {
      part_of.emplace(number, static_cast<std::uint32_t>(part_of.size()));
      out.part_numbers.push_back(number);
      mesh_of.emplace(part.mesh, 0);
    }
    std::vector<std::uint32_t> numbers;
    for (auto& [mesh, number] : mesh_of) {
      number = static_cast<std::uint32_t>(numbers.size());
      numbers.push_back(mesh);
      out.assembly.mesh_names.push_back(source_.mesh_name ? source_.mesh_name(mesh) : std::string());
    }
    if (share.meshes)
      out.assembly.meshes = meshes.copies_of(numbers);
    else
      out.assembly.meshes.resize(numbers.size());
    for (auto& [number, part] : known) {
      part.mesh = mesh_of[part.mesh];
      out.assembly.parts.push_back(std::move(part));
    }
    for (ClashPair& pair : out.report.pairs) {
      pair.a = part_of[pair.a];
      pair.b = part_of[pair.b];
    }
    for (auto* parts : {&out.report.unusable_parts, &out.report.damaged_parts})
      for (std::uint32_t& part : *parts) part = part_of[part];
    out.report.findings = group_clashes(out.assembly.parts, out.report.pairs);
  }

  const PartSource& source_;
  ClashOptions options_;
  Job job_;
  Processes all_;
  Node node_;
  Processes on_node_;
  std::optional<Space> space_;
  std::vector<PartBox> boxes_;
  std::vector<NumberedPart> unusable_, damaged_;
  std::uint64_t triangles_ = 0;
};

}  // namespace

GatheredClashes find_clashes_on(const NodeOf& node_of, const PartSource& source, const ClashOptions& options,
                                const ShareOptions& share) {
  if (source.part_count >= (std::uint64_t{1} << 32)) throw Error("an assembly has at most 2^32 - 1 parts");
  if (source.mesh_count > INT_MAX) throw Error("an assembly on several processes has at most 2^31 - 1 meshes");
  return DistributedClash(source, node_of).find(options, share);
}

GatheredClashes find_clashes(const PartSource& source, const ClashOptions& options, const ShareOptions& share) {
  return find_clashes_on({}, source, options, share);
}

}  // namespace lamella::mpi
