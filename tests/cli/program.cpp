#include "cli/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "lamella/mesh_io.hpp"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template class nlohmann::detail::serializer<nlohmann::ordered_json>;

namespace lamella::test {
namespace {

/// The program built beside the tests, unless the environment names another: one that was carried to another machine.
std::string tested_program() {
  const char* set = std::getenv("LAMELLA_PROGRAM");
  return set != nullptr ? set : LAMELLA_PROGRAM;
}

/// The process, or -1.
pid_t start(const std::vector<std::string>& command, const std::string& out, const std::string& err) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failure = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? child : -1;
}

/// Exit status, or -1. `peak_kib`: the most memory that was resident.
int wait_for(pid_t child, long* peak_kib = nullptr) {
  if (child == -1) return -1;
  int state = 0;
  struct rusage usage {};
  if (wait4(child, &state, 0, &usage) != child || !WIFEXITED(state)) return -1;
  if (peak_kib != nullptr) *peak_kib = usage.ru_maxrss;
  return WEXITSTATUS(state);
}

}  // namespace

void Program::SetUp() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lamella-cli-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  std::filesystem::create_directory(folder_ / "streams");
}

void Program::TearDown() { std::filesystem::remove_all(folder_); }

Outcome Program::run(const std::vector<std::string>& arguments) const {
  return run_program(tested_program(), arguments);
}

Outcome Program::run_program(const std::string& program, const std::vector<std::string>& arguments) const {
  return run_into(folder_ / "streams" / "out", program, arguments);
}

Outcome Program::run_into(const std::filesystem::path& file, const std::vector<std::string>& arguments) const {
  return run_into(file, tested_program(), arguments);
}

Outcome Program::run_into(const std::filesystem::path& file, const std::string& program,
                          const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::filesystem::path err = folder_ / "streams" / "err";
  long peak_kib = 0;
  const int status = wait_for(start(command, file.string(), err.string()), &peak_kib);
  return {status, std::filesystem::is_regular_file(file) ? content(file) : "", content(err), peak_kib};
}

Outcome Program::run_and_signal(const std::vector<std::string>& arguments, int number, const std::string& sign) const {
  std::vector<std::string> command{tested_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::filesystem::path out = folder_ / "streams" / "out", err = folder_ / "streams" / "err";
  const pid_t child = start(command, out.string(), err.string());
  if (child == -1) return {};
  const auto appeared = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename().string().find(sign) != std::string::npos) return true;
    }
    return false;
  };
  constexpr int kTries = 6000;  // of 10 ms
  int tries = 0;
  while (!appeared() && ++tries < kTries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, tries < kTries ? number : SIGKILL);
  const int status = wait_for(child);
  return {status, content(out), content(err)};
}

int Program::start_program(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{tested_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return start(command, (folder_ / "streams" / "out").string(), (folder_ / "streams" / "err").string());
}

Outcome Program::finish_program(int process) const {
  const int status = wait_for(process);
  return {status, printed_so_far(), content(folder_ / "streams" / "err")};
}

std::string Program::printed_so_far() const { return content(folder_ / "streams" / "out"); }

std::string Program::save(const std::string& name, MeshView mesh) const {
  write_mesh(at(name), mesh);
  return at(name);
}

std::string Program::save_text(const std::string& name, const std::string& text) const {
  std::ofstream(at(name)) << text;
  return at(name);
}

std::size_t Program::file_count() const {
  const std::filesystem::directory_iterator entries(folder_);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries))) - 1;  // without streams/
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Mesh make_box(Vec3 min, Vec3 max) {
  Mesh mesh = make_open_box(min, max);
  mesh.triangles.push_back({0, 4, 6});
  mesh.triangles.push_back({0, 6, 2});
  return mesh;
}

Mesh make_open_box(Vec3 min, Vec3 max) {
  // Vertex i has the high x, y, z where bit 0, 1, 2 of i is set.
  Mesh mesh;
  for (unsigned i = 0; i < 8; ++i) {
    mesh.positions.push_back({i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z});
  }
  mesh.triangles = {{1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7},
                    {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

Mesh flipped(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh mesh = a;
  const auto shift = static_cast<std::uint32_t>(a.positions.size());
  mesh.positions.insert(mesh.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle t : b.triangles) mesh.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
  return mesh;
}

nlohmann::ordered_json parse_json(const std::string& text) { return nlohmann::ordered_json::parse(text); }

void expect_keys(const nlohmann::ordered_json& object, const std::vector<std::string>& expected) {
  ASSERT_TRUE(object.is_object()) << object;
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  ASSERT_GE(keys.size(), expected.size()) << object;
  keys.resize(expected.size());
  EXPECT_EQ(keys, expected);
}

void expect_vector(const nlohmann::ordered_json& value, Vec3d expected, double tolerance) {
  ASSERT_TRUE(value.is_array()) << value;
  ASSERT_EQ(value.size(), 3u) << value;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(value[static_cast<std::size_t>(i)].get<double>(), expected[i], tolerance);
}

void expect_box(const nlohmann::ordered_json& value, Vec3d min, Vec3d max, double tolerance) {
  expect_keys(value, {"min", "max"});
  expect_vector(value["min"], min, tolerance);
  expect_vector(value["max"], max, tolerance);
}

}  // namespace lamella::test
