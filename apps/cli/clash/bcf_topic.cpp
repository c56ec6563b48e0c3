#include "cli/clash/bcf_topic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <numbers>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "cli/clash/bcf_guid.hpp"
#include "cli/clash/texts.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

constexpr const char* kAuthor = "lamella";
constexpr std::size_t kLongestTitle = 250;  ///< bytes
constexpr double kFieldOfView = 45;         ///< degrees, of the height; BCF 2.1 has 45 to 60
/// Half the height of the view at the target, in reaches: as in the snapshot.
constexpr double kHalfHeight = 1.6;

/// Text as XML can have it: control characters are spelt out, and so are the two characters that no XML may have.
std::string xml_text(std::string_view text) {
  std::string out = printable(text);
  for (const std::string_view bad : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = out.find(bad); at != std::string::npos; at = out.find(bad, at))
      out.replace(at, bad.size(), "?");
  }
  return out;
}

std::string shortened(std::string text) {
  if (text.size() <= kLongestTitle) return text;
  std::size_t end = kLongestTitle;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "…";
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + xml_text(line);
  return out;
}

pugi::xml_document new_document() {
  pugi::xml_document document;
  pugi::xml_node head = document.append_child(pugi::node_declaration);
  head.append_attribute("version") = "1.0";
  head.append_attribute("encoding") = "UTF-8";
  return document;
}

std::string saved(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

/// `text` must have passed xml_text().
pugi::xml_node add(pugi::xml_node parent, const char* name, const std::string& text) {
  pugi::xml_node node = parent.append_child(name);
  node.text().set(text.c_str());
  return node;
}

void add_vector(pugi::xml_node parent, const char* name, Vec3d v) {
  pugi::xml_node node = parent.append_child(name);
  add(node, "X", fmt::format("{}", v.x));
  add(node, "Y", fmt::format("{}", v.y));
  add(node, "Z", fmt::format("{}", v.z));
}

const char* priority_of(const ClashFinding& finding) {
  if (finding.allowed) return "Low";
  if (finding.kind == ClashClass::clear) return "Normal";  // undecided: it may be anything
  if (finding.kind < ClashClass::overlapping) return "Low";
  return finding.kind == ClashClass::overlapping ? "Normal" : "High";
}

std::vector<std::string> labels_of(const ClashAnswer& answer, const ClashFinding& finding) {
  std::vector<std::string> labels{class_text(finding.kind, finding.undecided)};
  if (finding.allowed) labels.emplace_back("allowed");
  if (finding.undecided && finding.kind != ClashClass::clear) labels.emplace_back("undecided");
  if (finding.rule < answer.options.rules.size() && !answer.options.rules[finding.rule].name.empty())
    labels.push_back(answer.options.rules[finding.rule].name);
  switch (change_of(answer, finding)) {
    case ClashChange::added:
      labels.emplace_back("new");
      break;
    case ClashChange::changed:
      labels.emplace_back("changed");
      break;
    case ClashChange::same:
    case ClashChange::unknown:
      break;
  }
  return labels;
}

std::string viewpoint_guid(const BcfTopic& topic) { return guid_of(topic.guid + " viewpoint"); }

/// Names of two things, whichever comes first.
std::string key_of(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return a + '\0' + b;
}

std::string mesh_name(const Assembly& assembly, std::uint32_t mesh) {
  return mesh < assembly.mesh_names.size() ? assembly.mesh_names[mesh] : std::string();
}

/// A rule as it is in its file, wherever it stands there.
std::string rule_key(const ClashAnswer& answer, std::uint32_t index) {
  if (index >= answer.options.rules.size()) return "";
  const ClashRule& rule = answer.options.rules[index];
  return rule.name.empty() ? key_of(rule.a, rule.b) : rule.name;
}

/// What makes a finding, but whether it is allowed: a topic is closed when that changes.
std::string finding_key(const ClashAnswer& answer, const ClashFinding& finding) {
  std::string key = key_of(mesh_name(answer.assembly, finding.mesh_a), mesh_name(answer.assembly, finding.mesh_b));
  key += '\0' + std::string(to_string(finding.kind));
  if (const std::string rule = rule_key(answer, finding.rule); !rule.empty()) key += '\0' + ("rule " + rule);
  if (finding.undecided) key += std::string("\0undecided", 10);
  return key;
}

/// Of the place that comes first by its names: which one is the worst may change from report to report.
std::string part_key(const ClashAnswer& answer, const ClashFinding& finding) {
  std::string first;
  for (const std::uint32_t i : finding.pairs) {
    const ClashPair& pair = answer.report.pairs[i];
    std::string key = key_of(answer.assembly.parts[pair.a].name, answer.assembly.parts[pair.b].name);
    if (first.empty() || key < first) first = std::move(key);
  }
  return first;
}

void add_component(pugi::xml_node parent, const std::string& name) {
  pugi::xml_node component = parent.append_child("Component");
  if (is_ifc_guid(name)) component.append_attribute("IfcGuid") = name.c_str();
  add(component, "OriginatingSystem", "lamella");
  add(component, "AuthoringToolId", xml_text(name));
}

void add_components(pugi::xml_node parent, const std::vector<std::string>& names) {
  pugi::xml_node components = parent.append_child("Components");
  pugi::xml_node selection = components.append_child("Selection");
  for (const std::string& name : names) add_component(selection, name);
  components.append_child("Visibility").append_attribute("DefaultVisibility") = true;
}

void add_topic(pugi::xml_node markup, const ClashAnswer& answer, const BcfTopic& topic, const std::string& date) {
  const ClashFinding& finding = *topic.finding;
  pugi::xml_node node = markup.append_child("Topic");
  node.append_attribute("Guid") = topic.guid.c_str();
  node.append_attribute("TopicType") = "Clash";
  node.append_attribute("TopicStatus") = finding.allowed ? "Closed" : "Open";
  add(node, "Title", shortened(xml_text(finding_title(answer, finding))));
  add(node, "Priority", priority_of(finding));
  add(node, "Index", std::to_string(topic.index));
  for (const std::string& label : labels_of(answer, finding)) add(node, "Labels", xml_text(label));
  add(node, "CreationDate", date);
  add(node, "CreationAuthor", kAuthor);
  add(node, "Description", joined(finding_lines(answer, finding)));
}

void add_comment(pugi::xml_node markup, const ClashAnswer& answer, const BcfTopic& topic, const std::string& date) {
  const ClashPair& worst = answer.report.pairs[topic.finding->pairs.front()];
  pugi::xml_node comment = markup.append_child("Comment");
  comment.append_attribute("Guid") = guid_of(topic.guid + " comment").c_str();
  add(comment, "Date", date);
  add(comment, "Author", kAuthor);
  add(comment, "Comment", xml_text(pair_name(answer, worst) + ": " + pair_text(answer, worst)));
  comment.append_child("Viewpoint").append_attribute("Guid") = viewpoint_guid(topic).c_str();
}

}  // namespace

std::string bcf_project_of(const ClashAnswer& answer) { return answer.project.empty() ? answer.title : answer.project; }

std::vector<std::string> bcf_guids(const ClashAnswer& answer) {
  const std::vector<ClashFinding>& findings = answer.report.findings;
  std::map<std::string, int> meshes;
  for (const std::string& name : answer.assembly.mesh_names) ++meshes[name];
  const auto has_own_name = [&](std::uint32_t mesh) {
    const std::string name = mesh_name(answer.assembly, mesh);
    return !name.empty() && meshes[name] == 1;
  };
  std::vector<std::string> keys;
  std::set<std::string> open;  // keys of findings that are not allowed
  for (const ClashFinding& finding : findings) {
    std::string& key = keys.emplace_back(bcf_project_of(answer) + '\0' + finding_key(answer, finding));
    if (!has_own_name(finding.mesh_a) || !has_own_name(finding.mesh_b)) key += '\0' + part_key(answer, finding);
    if (!finding.allowed) open.insert(key);
  }
  std::set<std::string> taken;
  std::vector<std::string> guids;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (findings[i].allowed && open.contains(keys[i])) keys[i] += std::string("\0allowed", 8);
    while (!taken.insert(keys[i]).second) keys[i] += '+';  // parts or rules of the same names
    guids.push_back(guid_of(keys[i]));
  }
  return guids;
}

std::string bcf_version() {
  pugi::xml_document document = new_document();
  pugi::xml_node version = document.append_child("Version");
  version.append_attribute("VersionId") = "2.1";
  add(version, "DetailedVersion", "2.1");
  return saved(document);
}

std::string bcf_project(const std::string& name, const std::string& id) {
  pugi::xml_document document = new_document();
  pugi::xml_node extension = document.append_child("ProjectExtension");
  pugi::xml_node project = extension.append_child("Project");
  project.append_attribute("ProjectId") = id.c_str();
  add(project, "Name", xml_text(name));
  extension.append_child("ExtensionSchema");
  return saved(document);
}

std::string bcf_markup(const ClashAnswer& answer, const BcfTopic& topic, const std::string& date) {
  pugi::xml_document document = new_document();
  pugi::xml_node markup = document.append_child("Markup");
  add_topic(markup, answer, topic, date);
  add_comment(markup, answer, topic, date);
  pugi::xml_node viewpoints = markup.append_child("Viewpoints");
  viewpoints.append_attribute("Guid") = viewpoint_guid(topic).c_str();
  add(viewpoints, "Viewpoint", std::string(kBcfViewpointFile));
  add(viewpoints, "Snapshot", std::string(kBcfSnapshotFile));
  return saved(document);
}

std::string bcf_viewpoint(const ClashAnswer& answer, const BcfTopic& topic, const ClashView& view) {
  const ClashPair& worst = answer.report.pairs[topic.finding->pairs.front()];
  pugi::xml_document document = new_document();
  pugi::xml_node info = document.append_child("VisualizationInfo");
  info.append_attribute("Guid") = viewpoint_guid(topic).c_str();
  add_components(info, {answer.assembly.parts[worst.a].name, answer.assembly.parts[worst.b].name});

  constexpr Vec3d kUp{0, 0, 1};
  const double away = kHalfHeight * view.reach / std::tan(kFieldOfView / 2 * std::numbers::pi / 180);
  const Vec3d up = kUp - view.direction * dot(kUp, view.direction);
  pugi::xml_node camera = info.append_child("PerspectiveCamera");
  add_vector(camera, "CameraViewPoint", (view.target - view.direction * away) * answer.unit.metres);
  add_vector(camera, "CameraDirection", view.direction);
  add_vector(camera, "CameraUpVector", up * (1 / length(up)));
  add(camera, "FieldOfView", fmt::format("{}", kFieldOfView));
  return saved(document);
}

std::string bcf_date(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc{};
  gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace lamella::cli
