// Files as an assembly of an MPI job. The readers of scenes run twice on rank 0: first to learn which files they ask
// for; then, when each file has been read by one process, with the names and counts of the meshes in place of the
// meshes. So parts, their numbers and errors are those of one process.

#include "cli/clash/shared_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <system_error>
#include <unordered_map>

#include "cli/clash/packed.hpp"
#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/model_input.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

using Messages = std::vector<std::vector<char>>;
using Kind = MeshRequest::Kind;

std::size_t processes() { return static_cast<std::size_t>(job_size()); }
std::size_t this_process() { return static_cast<std::size_t>(job_rank()); }

/// What rank 0 makes, on all processes; or its Error.
std::vector<char> from_rank_0(const std::function<void(Packer&)>& make) {
  Packer out;
  if (job_rank() == 0) {
    try {
      Packer made;
      made.put(true);
      make(made);
      out = std::move(made);
    } catch (const Error& error) {
      out.put(false);
      out.put(error.kind());
      out.put_text(error.what());
    }
  }
  std::vector<char> bytes = job_broadcast(out.take());
  Unpacker in(bytes);
  if (in.take<bool>()) return bytes;
  const auto kind = in.take<Error::Kind>();
  throw Error(in.take_text(), kind);
}

/// After the flag that it is no Error.
Unpacker content_of(std::span<const char> bytes) { return Unpacker(bytes.subspan(sizeof(bool))); }

/// The processes with how much they have; the least first.
class Loads {
 public:
  explicit Loads(std::vector<std::uint64_t> loads) {
    for (std::size_t i = 0; i < loads.size(); ++i) queue_.emplace(loads[i], i);
  }
  [[nodiscard]] std::uint64_t least() const { return queue_.top().first; }
  std::size_t give_to_least(std::uint64_t amount) {
    const auto [load, process] = queue_.top();
    queue_.pop();
    queue_.emplace(load + amount, process);
    return process;
  }

 private:
  using Load = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> queue_;
};

// ---- Which process reads which file.

struct Plan {
  std::vector<MeshRequest> requests;
  std::vector<std::uint32_t> readers;  ///< of the requests
};

std::uint64_t size_of_file(std::filesystem::path path) {
  std::error_code failure;
  const auto size = [&] {
    const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
    return failure ? 0 : std::uint64_t{bytes};
  };
  std::uint64_t sum = size();
  if (path.extension() == ".gltf") sum += (path.replace_extension(".bin"), size());
  return sum;
}

std::uint64_t weight_of(const MeshRequest& request) {
  constexpr std::uint64_t kBytesOfFace = 20;
  if (request.kind == Kind::model) return request.faces * kBytesOfFace;
  if (!is_model(request.name)) return size_of_file(request.name);
  try {
    return parse_model(request.name).faces * kBytesOfFace;
  } catch (const Error&) {  // its reader will say so
    return 0;
  }
}

/// The largest first, each to the process that has least.
std::vector<std::uint32_t> readers_of(const std::vector<MeshRequest>& requests) {
  std::vector<std::uint64_t> weights;
  for (const MeshRequest& request : requests) weights.push_back(weight_of(request));
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  Loads loads{std::vector<std::uint64_t>(processes())};
  std::vector<std::uint32_t> readers(requests.size());
  for (const std::size_t i : order) readers[i] = static_cast<std::uint32_t>(loads.give_to_least(weights[i] + 1));
  return readers;
}

/// On rank 0. What the readers ask for, up to the first error: they meet it again, with what was read in place. Shapes
/// are compared with meshes: rank 0 then reads all.
Plan make_plan(const ClashInputArgs& args) {
  Plan plan;
  bool has_shapes = false;
  const MeshLoader record = [&](const MeshRequest& request) {
    has_shapes = has_shapes || request.kind == Kind::shape;
    if (has_shapes) throw Error("known");
    plan.requests.push_back(request);
    return LoadedMeshes{one_each({MeshPart{}}), {request.faces}};
  };
  try {
    std::vector<MeshUse> uses;
    (void)load_files(args, record, uses);
  } catch (const Error&) {
    if (plan.requests.empty() && !has_shapes) throw;
  }
  if (has_shapes) plan.requests.clear();
  plan.readers = readers_of(plan.requests);
  return plan;
}

void put(Packer& to, const Plan& plan) {
  to.put(std::uint64_t{plan.requests.size()});
  for (const MeshRequest& r : plan.requests) {
    to.put(r.kind);
    to.put(r.split);
    to.put_text(r.name);
    to.put(r.faces);
    to.put(r.seed);
  }
  to.put_all(std::span(plan.readers));
}

Plan take_plan(Unpacker from) {
  Plan plan;
  plan.requests.resize(from.take<std::uint64_t>());
  for (MeshRequest& r : plan.requests) {
    r.kind = from.take<Kind>();
    r.split = from.take<Split>();
    r.name = from.take_text();
    r.faces = from.take<std::uint64_t>();
    r.seed = from.take<std::uint32_t>();
  }
  plan.readers = from.take_all<std::uint32_t>();
  return plan;
}

// ---- What rank 0 is told of a file.

struct MeshSize {
  std::uint64_t vertices = 0, triangles = 0;
  [[nodiscard]] std::uint64_t bytes() const { return vertices * sizeof(Vec3) + triangles * sizeof(Triangle); }
};

struct FileFacts {
  std::uint32_t request = 0;
  std::string said;                    ///< complaints while it was read
  std::optional<std::string> failure;  ///< in place of what follows
  Error::Kind kind = Error::Kind::input;
  std::vector<MeshSize> sizes;
  std::vector<std::string> mesh_names;
  std::vector<MeshInstance> instances;
};

void put(Packer& to, const FileFacts& facts) {
  to.put(facts.request);
  to.put_text(facts.said);
  to.put(facts.failure.has_value());
  if (facts.failure) {
    to.put_text(*facts.failure);
    to.put(facts.kind);
    return;
  }
  to.put_all(std::span(facts.sizes));
  for (const std::string& name : facts.mesh_names) to.put_text(name);
  to.put(std::uint64_t{facts.instances.size()});
  for (const MeshInstance& instance : facts.instances) {
    to.put_text(instance.name);
    to.put(instance.mesh);
    to.put(instance.pose);
  }
}

FileFacts take_facts(Unpacker& from) {
  FileFacts facts;
  facts.request = from.take<std::uint32_t>();
  facts.said = from.take_text();
  if (from.take<bool>()) {
    facts.failure = from.take_text();
    facts.kind = from.take<Error::Kind>();
    return facts;
  }
  facts.sizes = from.take_all<MeshSize>();
  for (std::size_t i = 0; i < facts.sizes.size(); ++i) facts.mesh_names.push_back(from.take_text());
  facts.instances.resize(from.take<std::uint64_t>());
  for (MeshInstance& instance : facts.instances) {
    instance.name = from.take_text();
    instance.mesh = from.take<std::uint32_t>();
    instance.pose = from.take<Transform>();
  }
  return facts;
}

/// By request.
using MeshesHere = std::unordered_map<std::uint32_t, std::vector<Mesh>>;

FileFacts read_file(std::uint32_t number, const MeshRequest& request, MeshesHere& here) {
  FileFacts facts{.request = number, .said = {}, .failure = {}, .sizes = {}, .mesh_names = {}, .instances = {}};
  facts.said = complaints([&] {
    try {
      LoadedMeshes loaded = load_here(request);
      for (const Mesh& mesh : loaded.all.meshes) facts.sizes.push_back({mesh.positions.size(), mesh.triangles.size()});
      facts.mesh_names = std::move(loaded.all.mesh_names);
      facts.instances = std::move(loaded.all.instances);
      here[number] = std::move(loaded.all.meshes);
    } catch (const Error& error) {
      facts.failure = error.what();
      facts.kind = error.kind();
    } catch (const std::bad_alloc&) {
      facts.failure = fmt::format("{}: out of memory; start more processes, on more machines", request.name);
    } catch (const std::exception& error) {
      facts.failure = fmt::format("{}: {}", request.name, error.what());
    }
  });
  return facts;
}

/// This process's files, up to the first that fails: those after it are not asked for. Rank 0 gets the facts, by
/// request.
std::unordered_map<std::uint32_t, FileFacts> read_files(const Plan& plan, MeshesHere& here) {
  Packer out;
  for (std::uint32_t i = 0; i < plan.requests.size(); ++i) {
    if (plan.readers[i] != this_process()) continue;
    const FileFacts facts = read_file(i, plan.requests[i], here);
    put(out, facts);
    if (facts.failure) break;
  }
  Messages to_each(processes());
  to_each[0] = out.take();
  std::unordered_map<std::uint32_t, FileFacts> known;
  for (const std::vector<char>& bytes : job_exchange(to_each))
    for (Unpacker in(bytes); !in.empty();) {
      FileFacts facts = take_facts(in);
      known.emplace(facts.request, std::move(facts));
    }
  return known;
}

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
  KnownMeshes(const Plan& plan, std::unordered_map<std::uint32_t, FileFacts> facts)
      : plan_(plan), facts_(std::move(facts)) {}

  LoadedMeshes load(const MeshRequest& request) {
    if (request.kind == Kind::shape) return load_here(request);
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
    LoadedMeshes loaded = load_here(request);
    for (const Mesh& mesh : loaded.all.meshes)
      places.push_back({.bytes = MeshSize{mesh.positions.size(), mesh.triangles.size()}.bytes()});
    return loaded;
  }

  const Plan& plan_;
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

Made make_parts(const ClashInputArgs& args, const Plan& plan, std::unordered_map<std::uint32_t, FileFacts> facts) {
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
    if (is_sent(r)) room[r.keeper] += r.from.bytes + sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t) + sizeof(Vec3d);
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
  const Plan plan = take_plan(content_of(from_rank_0([&](Packer& to) { put(to, make_plan(args)); })));
  MeshesHere here;
  auto facts = read_files(plan, here);
  Made made;
  const std::vector<char> bytes = from_rank_0([&](Packer& to) {
    made = make_parts(args, plan, std::move(facts));
    to.put(std::uint64_t{made.input.assembly.parts.size()});
    to.put_all(std::span<const Recipe>(made.recipes));
    to.put_all(std::span<const std::pair<std::uint32_t, std::uint32_t>>(made.input.ignored));
  });
  Unpacker in = content_of(bytes);
  const auto part_count = in.take<std::uint64_t>();
  made.recipes = in.take_all<Recipe>();
  made.input.ignored = in.take_all<std::pair<std::uint32_t, std::uint32_t>>();
  Assembly& assembly = made.input.assembly;
  std::vector<AssemblyPart> parts = dealt_parts(assembly.parts);
  KeptMeshes meshes = dealt_meshes(made.recipes, std::move(here), std::move(assembly.meshes));
  assembly.meshes.clear();
  made.input.source =
      source_of(part_count, std::move(parts), made.recipes, std::move(meshes), std::move(assembly.mesh_names));
  return std::move(made.input);
}

}  // namespace lamella::cli
