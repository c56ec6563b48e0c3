// Files as an assembly of an MPI job. The readers of scenes run twice on rank 0: first to learn which files they ask
// for; then, when each file has been read by one process, with the names and counts of the meshes in place of the
// meshes. So parts, their numbers and errors are those of one process.

#include "cli/clash/shared_input.hpp"

#include <cstdio>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "cli/clash/file_facts.hpp"
#include "cli/clash/file_plan.hpp"
#include "cli/clash/from_rank_0.hpp"
#include "cli/clash/loads.hpp"
#include "cli/clash/packed.hpp"
#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

using Kind = MeshRequest::Kind;

// ---- The assembly, on rank 0, and which process keeps which mesh.

constexpr std::uint32_t kNoRequest = UINT32_MAX;

/// Where a mesh of the scene is: `mesh` of the request's, or on rank 0 beside them.
struct MeshPlace {
  std::uint32_t request = kNoRequest, mesh = 0;
  std::uint32_t holder = 0;
  std::uint64_t bytes = 0;
};

/// How a mesh of the assembly is made, and who keeps it.
struct Recipe {
  MeshPlace from;
  std::uint32_t keeper = 0;
  double scale = 1;
};

/// Gives the readers of scenes what was read, in the order in which they asked for it.
class KnownMeshes {
 public:
  KnownMeshes(const FilePlan& plan, std::unordered_map<std::uint32_t, FileFacts> facts)
      : plan_(plan), facts_(std::move(facts)) {}

  LoadedMeshes load(const MeshRequest& request) {
    if (request.kind == Kind::shape) return load_exactly(request);
    if (next_ >= plan_.requests.size() || plan_.requests[next_].name != request.name) return load_on_rank_0(request);
    const std::uint32_t number = next_++;
    FileFacts& facts = facts_.at(number);
    std::fwrite(facts.said.data(), 1, facts.said.size(), stderr);
    if (facts.failure) throw Error(*facts.failure, facts.kind);
    LoadedMeshes loaded;
    for (std::uint32_t i = 0; i < facts.sizes.size(); ++i) {
      places.push_back({number, i, plan_.readers[number], facts.sizes[i].bytes()});
      loaded.triangle_counts.push_back(facts.sizes[i].triangles);
    }
    loaded.all.meshes.resize(facts.sizes.size());
    loaded.all.mesh_names = std::move(facts.mesh_names);
    loaded.all.instances = std::move(facts.instances);
    return loaded;
  }

  std::vector<MeshPlace> places;  ///< of the scene's meshes

 private:
  /// What the plan does not have.
  LoadedMeshes load_on_rank_0(const MeshRequest& request) {
    LoadedMeshes loaded = load_exactly(request);
    for (const Mesh& mesh : loaded.all.meshes) places.push_back({.bytes = MeshSize(mesh).bytes()});
    return loaded;
  }

  const FilePlan& plan_;
  std::unordered_map<std::uint32_t, FileFacts> facts_;
  std::uint32_t next_ = 0;
};

/// Meshes stay with who read them; those of a process with far more than its share go to those with least.
void choose_keepers(std::vector<Recipe>& recipes) {
  std::vector<std::uint64_t> loads(processes());
  std::uint64_t sum = 0;
  for (const Recipe& recipe : recipes) {
    loads[recipe.from.holder] += recipe.from.bytes;
    sum += recipe.from.bytes;
  }
  const std::uint64_t enough = sum / processes() + sum / processes() / 8;
  Loads queue(loads);
  for (Recipe& recipe : recipes) {
    const std::uint64_t size = recipe.from.bytes;
    std::uint64_t& load = loads[recipe.from.holder];
    recipe.keeper = recipe.from.holder;
    if (load <= enough || queue.least() + size >= load) continue;
    recipe.keeper = static_cast<std::uint32_t>(queue.give_to_least(size));
    load -= size;
  }
}

struct Made {
  ClashInput input;             ///< parts, and what rank 0 loaded by itself
  std::vector<Recipe> recipes;  ///< of the assembly's meshes
};

Made make_parts(const ClashInputArgs& args, const FilePlan& plan, std::unordered_map<std::uint32_t, FileFacts> facts) {
  KnownMeshes known(plan, std::move(facts));
  Made made;
  std::vector<MeshUse> uses;
  made.input = load_files(
      args, [&](const MeshRequest& request) { return known.load(request); }, uses);
  for (const MeshUse& use : uses) made.recipes.push_back({.from = known.places[use.mesh], .scale = use.scale});
  choose_keepers(made.recipes);
  return made;
}

// ---- Shares of parts and meshes.

std::vector<AssemblyPart> dealt_parts(const std::vector<AssemblyPart>& all) {
  Messages to_each(processes());
  for (int rank = 0; job_rank() == 0 && rank < job_size(); ++rank) {
    const mpi::PartRange share = mpi::part_share(all.size(), rank, job_size());
    Packer out;
    for (std::uint64_t i = share.begin; i < share.end; ++i) {
      out.put(all[i].mesh);
      out.put(all[i].pose);
      for (const std::string* text : {&all[i].name, &all[i].group, &all[i].layer}) out.put_text(*text);
    }
    to_each[static_cast<std::size_t>(rank)] = out.take();
  }
  std::vector<AssemblyPart> mine;
  for (const std::vector<char>& bytes : job_exchange(to_each))
    for (Unpacker in(bytes); !in.empty();) {
      AssemblyPart& part = mine.emplace_back();
      part.mesh = in.take<std::uint32_t>();
      part.pose = in.take<Transform>();
      for (std::string* text : {&part.name, &part.group, &part.layer}) *text = in.take_text();
    }
  return mine;
}

/// Makes the meshes of the assembly from those that this process read, and lets go of each after its last use.
class MeshMaker {
 public:
  MeshMaker(MeshesHere here, const std::vector<Recipe>& recipes) : here_(std::move(here)) {
    for (const Recipe& recipe : recipes) ++uses_[key(recipe)];
  }

  Mesh make(const Recipe& recipe) {
    Mesh& source = here_.at(recipe.from.request)[recipe.from.mesh];
    Mesh mesh = --uses_[key(recipe)] == 0 ? std::move(source) : source;
    scale(mesh, recipe.scale);
    return mesh;
  }

 private:
  static std::uint64_t key(const Recipe& r) { return std::uint64_t{r.from.request} << 32 | r.from.mesh; }

  MeshesHere here_;
  std::unordered_map<std::uint64_t, std::uint32_t> uses_;
};

using KeptMeshes = std::unordered_map<std::uint32_t, Mesh>;  ///< by their numbers in the assembly

/// `ready`: those that rank 0 loaded by itself.
KeptMeshes dealt_meshes(const std::vector<Recipe>& recipes, MeshesHere here, std::vector<Mesh> ready) {
  KeptMeshes kept;
  std::vector<Packer> packers(processes());
  std::vector<std::uint64_t> room(processes());
  const auto is_sent = [&](const Recipe& r) { return r.from.holder == this_process() && r.keeper != r.from.holder; };
  for (const Recipe& r : recipes)
    if (is_sent(r)) room[r.keeper] += r.from.bytes + sizeof(std::uint32_t) + 3 * sizeof(std::uint64_t) + sizeof(Vec3d);
  for (std::size_t i = 0; i < room.size(); ++i) packers[i].reserve(room[i]);
  {
    MeshMaker maker(std::move(here), recipes);
    for (std::uint32_t i = 0; i < recipes.size(); ++i) {
      const Recipe& r = recipes[i];
      if (r.from.holder != this_process()) continue;
      Mesh mesh = r.from.request == kNoRequest ? std::move(ready[i]) : maker.make(r);
      if (!is_sent(r)) {
        kept.emplace(i, std::move(mesh));
        continue;
      }
      packers[r.keeper].put(i);
      packers[r.keeper].put_all(std::span<const Vec3>(mesh.positions));
      packers[r.keeper].put_all(std::span<const Triangle>(mesh.triangles));
      packers[r.keeper].put(mesh.origin);
      packers[r.keeper].put_all(std::span<const Vec3d>(mesh.wide));
    }
  }
  Messages to_each;
  for (Packer& packer : packers) to_each.push_back(packer.take());
  Messages received = job_exchange(to_each);
  to_each.clear();
  for (std::vector<char>& bytes : received) {
    for (Unpacker in(bytes); !in.empty();) {
      Mesh& mesh = kept[in.take<std::uint32_t>()];
      mesh.positions = in.take_all<Vec3>();
      mesh.triangles = in.take_all<Triangle>();
      mesh.origin = in.take<Vec3d>();
      mesh.wide = in.take_all<Vec3d>();
    }
    bytes = {};
  }
  return kept;
}

mpi::PartSource source_of(std::uint64_t part_count, std::vector<AssemblyPart> parts, const std::vector<Recipe>& recipes,
                          KeptMeshes meshes, std::vector<std::string> mesh_names) {
  struct Share {
    std::uint64_t first = 0;
    std::vector<AssemblyPart> parts;
    std::vector<int> keepers;
    KeptMeshes meshes;
    std::vector<std::string> mesh_names;
  };
  const auto share = std::make_shared<Share>();
  share->first = mpi::part_share(part_count, job_rank(), job_size()).begin;
  share->parts = std::move(parts);
  for (const Recipe& recipe : recipes) share->keepers.push_back(static_cast<int>(recipe.keeper));
  share->meshes = std::move(meshes);
  share->mesh_names = std::move(mesh_names);
  return {.part_count = part_count,
          .mesh_count = static_cast<std::uint32_t>(recipes.size()),
          .part = [share](std::uint64_t part) { return share->parts[part - share->first]; },
          .mesh = [share](std::uint32_t mesh) { return std::move(share->meshes.at(mesh)); },
          .mesh_name = [share](std::uint32_t mesh) { return share->mesh_names[mesh]; },
          .keeper = [share](std::uint32_t mesh) { return share->keepers[mesh]; }};
}

}  // namespace

ClashInput load_shared(const ClashInputArgs& args) {
  const FilePlan plan = take_plan(content_of(from_rank_0([&](Packer& to) { put(to, make_plan(args)); })));
  MeshesHere here;
  auto facts = read_files(plan, here);
  Made made;
  const std::vector<char> bytes = from_rank_0([&](Packer& to) {
    made = make_parts(args, plan, std::move(facts));
    to.put(std::uint64_t{made.input.assembly.parts.size()});
    to.put_all(std::span<const Recipe>(made.recipes));
    to.put_all(std::span<const std::pair<std::uint32_t, std::uint32_t>>(made.input.ignored));
    to.put(made.input.resolution.value_or(0));
  });
  Unpacker in = content_of(bytes);
  const auto part_count = in.take<std::uint64_t>();
  made.recipes = in.take_all<Recipe>();
  made.input.ignored = in.take_all<std::pair<std::uint32_t, std::uint32_t>>();
  if (const auto resolution = in.take<std::uint32_t>(); resolution != 0) made.input.resolution = resolution;
  Assembly& assembly = made.input.assembly;
  std::vector<AssemblyPart> parts = dealt_parts(assembly.parts);
  KeptMeshes meshes = dealt_meshes(made.recipes, std::move(here), std::move(assembly.meshes));
  assembly.meshes.clear();
  made.input.source =
      source_of(part_count, std::move(parts), made.recipes, std::move(meshes), std::move(assembly.mesh_names));
  return std::move(made.input);
}

}  // namespace lamella::cli
