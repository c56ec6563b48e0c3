#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "lamella/file.hpp"
#include "lamella/query.hpp"
#include "session/packet.hpp"

namespace lamella::cli {

/// A mesh of a report.
struct ReportObject {
  std::string name;
  MeshView mesh;  ///< must live until the report is written
  Transform pose{};
  session::Json source;  ///< source_json()
};

/// What --html puts into the page, beside how the program was called: viewer/PROTOCOL.md, "A saved view, or the data of
/// a report".
struct Report {
  std::string kind;                                 ///< the command: "intersect", "gi picture"
  std::string title;                                ///< one line: of the page, and above the answer
  session::Json answer{};                           ///< what --json prints
  std::string text{};                               ///< what is printed without it
  session::Json options = session::Json::object();  ///< with which the page asks the same again
  std::vector<ReportObject> objects{};              ///< in the order of the command's arguments
  session::Json more = session::Json::object();     ///< members of this kind alone; their arrays are in `packet`
  session::PacketWriter packet{};
  std::vector<std::string> notes{};  ///< what the page does not have: a sentence each
};

/// Faces of all meshes of a page. Up to so many, meshes are in it to the bit; beyond, large ones are simplified: a page
/// is to open in seconds.
inline constexpr std::uint32_t kMostFaces = 800'000;

/// One file with the page, the report and its meshes. Throws Error when `page` is none.
[[nodiscard]] std::string html_of(std::string_view page, Report report, std::uint32_t most_faces = kMostFaces);

/// The file that --html names.
class HtmlFile {
 public:
  /// Before the work: a build without a page, and a place that cannot be written, are Errors here.
  explicit HtmlFile(const std::filesystem::path& path);
  /// The file appears now, complete.
  void write(Report report);

 private:
  std::string page_;
  NewFile file_;
};

/// Nothing when --html was not given.
[[nodiscard]] std::unique_ptr<HtmlFile> html_file(const std::filesystem::path& path);

/// --html. The target must live until the parse is over.
void add_html_option(const Command& command, std::filesystem::path& target);

/// How the program was called, for the report: from main(), once.
void set_arguments(std::vector<std::string> arguments);

/// Where a mesh came from, as the page knows it: a file or a built-in model, as given; or this report, when empty.
[[nodiscard]] session::Json source_json(const std::string& input);
/// What a mesh that was given is called on the page: the file's name, or the model's.
[[nodiscard]] std::string object_name(const std::string& input);
/// A mesh as it was loaded and placed.
[[nodiscard]] ReportObject report_object(const std::string& input, MeshView mesh);

/// What the page needs to ask the same: what differs from the defaults. `as_is`: holes stay open.
[[nodiscard]] session::Json options_json(const Options& options, bool as_is);

}  // namespace lamella::cli
