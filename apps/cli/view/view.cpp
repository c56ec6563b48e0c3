#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cli/common.hpp"
#include "cli/html/page.hpp"
#include "cli/html/report.hpp"
#include "cli/interrupt.hpp"
#include "cli/memory.hpp"
#include "cli/model_input.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/repair_input.hpp"
#include "cli/scene/file.hpp"
#include "cli/scene/options.hpp"
#include "cli/subcommands.hpp"
#include "cli/view/server.hpp"
#include "lamella/error.hpp"
#include "session/session.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;  ///< of a file that the page sends
constexpr std::uint64_t kManyFaces = 500'000;                 ///< take a while to inspect

struct Args {
  std::vector<std::string> files;
  std::optional<Split> split;
  unsigned threads = 0;
  std::uint16_t port = 0;
  bool open = false, keep = false;
};

/// All parts of all files. What the page sees of this machine is in here, and nothing else.
void load(const Args& args, session::Session& session) {
  if (args.files.empty()) return;
  const SceneFile file = scene_of_meshes(args.files, 1, args.split.value_or(Split::automatic));
  const auto faces_of = [&](const SceneObject& object) { return file.meshes[object.mesh].triangles.size(); };
  std::uint64_t done = 0, total = 0;
  for (const SceneObject& object : file.objects) total += faces_of(object);
  Progress progress("objects", total >= kManyFaces);
  for (const SceneObject& object : file.objects) {
    progress.update(done, total);
    (void)session.add(is_model(object.label) ? object_name(object.label) : object.label, mesh_of(file, object),
                      source_json(file.mesh_files[object.mesh]));
    done += faces_of(object);
  }
}

/// In a browser of the desktop's choice, which goes its own way.
void open_browser(const std::string& address) {
  std::string program = "xdg-open", where = address;
  char* arguments[] = {program.data(), where.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
    return complain("--open: xdg-open is not here; open the address above yourself");
  std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

int run(const Args& args) {
  std::string page = require_page("view");
  session::Session session({.threads = args.threads, .most_bytes = kMostBytes, .native = true});
  load(args, session);
  const Interrupt interrupt;
  ViewServer server(std::move(page), [&](std::span<const std::byte> request) { return session.call(request); },
                    {.port = args.port, .keep = args.keep, .most_bytes = kMostBytes + (1 << 20)});
  print_line("address", server.address());
  if (!args.keep) print_line("ends", "when the page is closed, or with Ctrl-C");
  std::fflush(stdout);
  if (args.open) open_browser(server.address());
  (void)server.run([&] { return interrupt.signal() != 0; });
  return kAnswered;
}

}  // namespace

void add_view(const Command& app, int& status) {
  const auto args = std::make_shared<Args>();
  const Command command = app.add_subcommand("view", "Meshes on a page in the browser, to move and deform them");
  command
      .add_option("MESH", args->files,
                  fmt::format("meshes, or folders of them: {}; the page can load more", kMeshInputs))
      .type_name("");
  command.options_under("Objects");
  add_split_option(command, args->split, "which parts of a file are objects, as in `lamella scene`");
  add_repair_option(command);
  add_memory_option(command);
  command.options_under("Server");
  add_count(command, "--port", 1, 65535, args->port, "of the loopback address; by default one that is free");
  command.add_flag("--open", args->open, "also open the address in a browser, by xdg-open");
  command.add_flag("--keep", args->keep, "do not end when the page is closed");
  add_threads_option(command, args->threads);
  command.footer(
      "Prints an address of this machine with a random token in it, which no other can use, and serves the page of\n"
      "--html there, with this program behind it: all engines, and meshes too large for a page alone. Of files the\n"
      "page gets the meshes that are named here, and nothing else.\n\n"
      "Examples:\n"
      "  lamella view model:hand model:phone\n"
      "  lamella view assembly.glb --split nodes --open");
  command.callback([args, &status] { status = run(*args); });
}

}  // namespace lamella::cli
