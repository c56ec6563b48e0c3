#include "cli/html/report.hpp"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "cli/common.hpp"
#include "cli/html/fill.hpp"
#include "cli/html/page.hpp"
#include "cli/model_input.hpp"
#include "cli/parse.hpp"
#include "lamella/error.hpp"
#include "lamella/version.hpp"
#include "scenes/catalogue.hpp"
#include "session/session.hpp"

namespace lamella::cli {
namespace {

using session::Json;

/// One for the program, as its arguments are.
std::vector<std::string> g_arguments;

/// The mesh's own frame stays: what is far from the origin keeps its digits.
Mesh copy_of(MeshView mesh) {
  return {{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, mesh.origin};
}

/// A request that must succeed. The reply is valid until the next.
session::Packet ask(session::Session& session, const Json& request, const session::PacketWriter& arrays) {
  session::Bytes bytes;
  arrays.finish(request, bytes);
  session::Packet reply = session::read_packet(session.call(bytes));
  if (reply.json.contains("error")) throw Error(reply.json["error"]["message"].get<std::string>());
  return reply;
}

/// What stands behind the command's own words ("gi picture").
std::vector<std::string> arguments_of(std::string_view command) {
  std::size_t words = 0;
  for (const std::string_view word : split(command, ' ')) {
    if (words == g_arguments.size() || g_arguments[words] != word) break;
    ++words;
  }
  return {g_arguments.begin() + static_cast<std::ptrdiff_t>(words), g_arguments.end()};
}

void note_simplification(Report& report, std::uint32_t most_faces) {
  std::uint64_t faces = 0;
  for (const ReportObject& object : report.objects) faces += object.mesh.triangles.size();
  if (faces > most_faces)
    report.notes.push_back(
        fmt::format("The meshes are simplified here, from {} to about {}: the command's answer is of "
                    "the whole ones, what this page measures is of these.",
                    counted(faces, "triangle"), grouped(most_faces)));
}

Json report_json(Report& report, std::vector<std::uint32_t> ids) {
  Json out{{"command", report.kind},
           {"arguments", arguments_of(report.kind)},
           {"kind", report.kind},
           {"title", report.title}};
  out["answer"] = std::move(report.answer);
  out["text"] = std::move(report.text);
  out["options"] = std::move(report.options);
  out["objects"] = std::move(ids);
  out["version"] = kVersion;
  out["notes"] = std::move(report.notes);
  out["simplified"] = Json::array();
  out.update(report.more);
  return out;
}

}  // namespace

std::string html_of(std::string_view page, Report report, std::uint32_t most_faces) {
  note_simplification(report, most_faces);
  session::Session session({.threads = 1});
  std::vector<std::uint32_t> ids;
  for (ReportObject& object : report.objects)
    ids.push_back(session.add(std::move(object.name), copy_of(object.mesh), std::move(object.source), object.pose));
  (void)ask(session, {{"op", "set_report"}, {"report", report_json(report, std::move(ids))}}, report.packet);
  const session::Packet saved = ask(session, {{"op", "save"}, {"most_faces", most_faces}}, {});
  const session::ArrayOf file = session::find_array(saved, saved.json.at("file"), "file");
  return fill_page(page, report.title + " - Lamella", kDataMarker, base64(file.bytes));
}

HtmlFile::HtmlFile(const std::filesystem::path& path) : page_(require_page("--html")), file_(path) {}

void HtmlFile::write(Report report) {
  file_.write(html_of(page_, std::move(report)));
  file_.commit();
}

std::unique_ptr<HtmlFile> html_file(const std::filesystem::path& path) {
  return path.empty() ? nullptr : std::make_unique<HtmlFile>(path);
}

void add_html_option(const Command& command, std::filesystem::path& target) {
  command.add_text(
      "--html", "OUT.html",
      [&target](const std::string& text) {
        target = check_extension("--html", text, std::array<std::string_view, 2>{".html", ".htm"});
      },
      "write the answer as a page for a browser, with the meshes and the engine in it");
}

void set_arguments(std::vector<std::string> arguments) { g_arguments = std::move(arguments); }

Json source_json(const std::string& input) {
  if (input.empty()) return {{"report", true}};
  if (!is_model(input)) return {{"file", file_name(input)}};
  const ModelInput model = parse_model(input);
  return {{"model", model.model->name}, {"faces", model.faces}};
}

std::string object_name(const std::string& input) { return is_model(input) ? stem_of(input) : file_name(input); }

ReportObject report_object(const std::string& input, MeshView mesh) {
  return {.name = object_name(input), .mesh = mesh, .pose = {}, .source = source_json(input)};
}

Json options_json(const Options& options, bool as_is) {
  const Options usual;
  Json out{{"resolution", options.resolution}};
  if (options.engine != usual.engine) out["engine"] = options.engine;
  if (options.axis) out["axis"] = std::string(1, "xyz"[static_cast<int>(*options.axis)]);
  if (options.tolerance && options.tolerance->relative > 0) out["tolerance"]["relative"] = options.tolerance->relative;
  if (options.tolerance && options.tolerance->absolute > 0) out["tolerance"]["absolute"] = options.tolerance->absolute;
  if (options.certify) out["certify"] = true;
  if (options.min_thickness != usual.min_thickness) out["min_thickness"] = shortest(options.min_thickness);
  if (options.max_crossings != usual.max_crossings) out["max_crossings"] = options.max_crossings;
  if (options.exact) out["exact"] = true;
  if (options.around_points) out["around_points"] = true;
  if (as_is) out["as_is"] = true;
  return out;
}

}  // namespace lamella::cli
