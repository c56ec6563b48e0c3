#include "cli/clash/file_facts.hpp"

#include <fmt/core.h>

#include <exception>
#include <new>
#include <span>
#include <utility>

#include "cli/clash/from_rank_0.hpp"
#include "cli/common.hpp"
#include "cli/distributed.hpp"
#include "cli/scene/file.hpp"

namespace lamella::cli {
namespace {

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

FileFacts read_file(std::uint32_t number, const MeshRequest& request, MeshesHere& here) {
  FileFacts facts{.request = number, .said = {}, .failure = {}, .sizes = {}, .mesh_names = {}, .instances = {}};
  facts.said = complaints([&] {
    try {
      LoadedMeshes loaded = load_exactly(request);
      for (const Mesh& mesh : loaded.all.meshes) facts.sizes.emplace_back(mesh);
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

}  // namespace

std::unordered_map<std::uint32_t, FileFacts> read_files(const FilePlan& plan, MeshesHere& here) {
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

}  // namespace lamella::cli
