#include "cli/model_input.hpp"

#include <fmt/core.h>

#include <vector>

#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"
#include "scenes/catalogue.hpp"

namespace lamella::cli {
namespace {

constexpr std::string_view kPrefix = "model:";
constexpr std::uint32_t kFewestFaces = 4, kMostFaces = 10'000'000, kMostWritten = 1'000'000'000;

[[noreturn]] void fail_unknown(std::string_view input, std::string_view name) {
  std::vector<std::string> names;
  for (const scenes::CatalogueModel& model : scenes::catalogue()) names.emplace_back(model.name);
  throw Error(fmt::format("{}: there is no model '{}'{} (`lamella models` says what they are)", input, name,
                          suggestion(name, names, kPrefix)));
}

/// `most`: faces of a model.
template <class Most>
ModelInput parse(std::string_view input, const Most& most) {
  const std::string_view asked = input.starts_with(kPrefix) ? input.substr(kPrefix.size()) : input;
  const std::size_t colon = asked.find(':');
  const std::string_view name = asked.substr(0, colon);
  const scenes::CatalogueModel* model = scenes::find_model(name);
  if (model == nullptr) fail_unknown(input, name);
  if (colon == std::string_view::npos) return {model, model->faces};
  return {model, parse_count(fmt::format("{}: the faces", input), asked.substr(colon + 1), kFewestFaces, most(*model))};
}

}  // namespace

bool is_model(const std::filesystem::path& input) { return input.string().starts_with(kPrefix); }

Mesh ModelInput::make() const { return model->make(faces); }

bool ModelInput::is_large() const { return faces > kMostFaces; }

ModelInput parse_model(std::string_view input) {
  return parse(input, [](const scenes::CatalogueModel&) { return kMostFaces; });
}

ModelInput parse_written_model(std::string_view input) {
  return parse(input, [](const scenes::CatalogueModel& m) { return m.rings != nullptr ? kMostWritten : kMostFaces; });
}

std::string stem_of(const std::filesystem::path& input) {
  return is_model(input) ? std::string(parse_model(input.string()).model->name) : input.stem().string();
}

}  // namespace lamella::cli
