#include "cli/clash/file_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "cli/clash/from_rank_0.hpp"
#include "cli/clash/loads.hpp"
#include "cli/common.hpp"
#include "cli/model_input.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

using Kind = MeshRequest::Kind;

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

}  // namespace

FilePlan make_plan(const ClashInputArgs& args) {
  FilePlan plan;
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

void put(Packer& to, const FilePlan& plan) {
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

FilePlan take_plan(Unpacker from) {
  FilePlan plan;
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

}  // namespace lamella::cli
