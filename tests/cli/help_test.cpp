// `lamella help`, and what is made from it: the man page and the bash completion.

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "cli/program.hpp"
#include "scenes/catalogue.hpp"

namespace lamella::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

/// A command with the options that its help shows.
struct Shown {
  std::vector<std::string> path;
  std::set<std::string> options;
  std::string help;
};

class Help : public Program {
 protected:
  /// A program of the system, where it is installed.
  [[nodiscard]] Outcome run_tool(const std::string& name, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), name);
    return run_program("/usr/bin/env", arguments);
  }

  [[nodiscard]] std::string help_of(std::vector<std::string> path) const {
    path.push_back("--help");
    return run(path).out;
  }

  /// Every command of the program, found by its help alone.
  void add_all(const std::vector<std::string>& path, std::vector<Shown>& all) const {
    static const std::regex kOption("^  ((-[a-z])(, )?)?(--[a-z-]+)?.*"), kCommand("^  ([a-z]+) +[A-Z].*");
    Shown shown{path, {}, help_of(path)};
    std::istringstream lines(shown.help);
    std::string line, heading;
    std::smatch match;
    std::vector<std::string> commands;
    while (std::getline(lines, line)) {
      if (line.ends_with(':') && !line.starts_with(' ')) heading = line;
      if (heading == "Exit status:" || heading.starts_with("Example")) break;
      if (line.starts_with("  -") && std::regex_match(line, match, kOption)) {
        for (const int i : {2, 4}) {
          if (match[i].matched) shown.options.insert(match[i]);
        }
      } else if (std::regex_match(line, match, kCommand)) {
        commands.push_back(match[1]);
      }
    }
    all.push_back(shown);
    for (const std::string& command : commands) {
      std::vector<std::string> below = path;
      below.push_back(command);
      add_all(below, all);
    }
  }
  [[nodiscard]] std::vector<Shown> all() const {
    std::vector<Shown> out;
    add_all({}, out);
    return out;
  }
};

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST_F(Help, IsWhatTheOptionPrints) {
  const std::vector<Shown> commands = all();
  EXPECT_GT(commands.size(), 25u);
  for (const Shown& shown : commands) {
    std::vector<std::string> arguments{"help"};
    arguments.insert(arguments.end(), shown.path.begin(), shown.path.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, shown.help) << joined_words(shown.path);
  }
}

TEST_F(Help, OfEveryCommandHasAnExampleAndShortLines) {
  for (const Shown& shown : all()) {
    if (shown.help.find("built without") != std::string::npos) continue;  // benchmarks
    EXPECT_THAT(shown.help, testing::ContainsRegex("Examples?:\n  lamella ")) << joined_words(shown.path);
    std::istringstream lines(shown.help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 118u) << line;
  }
}

TEST_F(Help, OnWhatIsNoCommandSaysWhatThereIs) {
  const Outcome outcome = run({"help", "gi", "mke"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean make?"));
  EXPECT_EQ(run({"help", "frobnicate"}).status, 2);
  EXPECT_EQ(run({"help", "info", "--man"}).status, 2);
}

TEST_F(Help, ExamplesWithModelsRun) {
  for (const Shown& shown : all()) {
    std::istringstream lines(shown.help);
    for (std::string line; std::getline(lines, line);) {
      // Those that need no file, and are quick.
      if (!line.starts_with("  lamella info model:") && !line.starts_with("  lamella models")) continue;
      std::istringstream words(line.substr(line.find("lamella") + 8));
      std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
      for (std::string& argument : arguments) {
        if (argument == "meshes") argument = at("meshes");
      }
      EXPECT_EQ(run(arguments).status, 0) << line;
    }
  }
}

class ManPage : public Help {};

/// Without escapes: as it reads.
std::string plain(std::string text) {
  for (const auto& [escape, letter] :
       {std::pair{"\\-", "-"}, {"\\fB", ""}, {"\\fI", ""}, {"\\fR", ""}, {"\\(ga", "`"}, {"\\(aq", "'"}}) {
    for (std::size_t at = 0; (at = text.find(escape, at)) != std::string::npos;) {
      text.replace(at, std::string(escape).size(), letter);
    }
  }
  return text;
}

TEST_F(ManPage, MentionsEveryCommandAndOption) {
  const std::string page = plain(run({"help", "--man"}).out);
  EXPECT_THAT(page, testing::StartsWith(".TH LAMELLA 1"));
  for (const Shown& shown : all()) {
    if (shown.path.empty()) continue;
    const std::size_t begin = page.find("\n.SS lamella " + joined_words(shown.path) + " ");
    ASSERT_NE(begin, std::string::npos) << joined_words(shown.path);
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& option : shown.options) {
      if (option == "-h" || option == "--help") continue;  // said once, of the program
      EXPECT_THAT(section, testing::ContainsRegex("\n(-[a-z], )?" + option + "[ ,\n]")) << joined_words(shown.path);
    }
  }
  for (const char* text : {"\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH Exit status\n", "\n--version\n"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST_F(ManPage, IsValidTroff) {
  const std::string page = save_text("lamella.1", run({"help", "--man"}).out);
  for (const unsigned char c : content(page)) ASSERT_LT(c, 0x80);
  if (run_tool("groff", {"--version"}).status != 0) GTEST_SKIP() << "groff is not installed (Debian: groff-base)";
  const Outcome outcome = run_tool("groff", {"-man", "-Tutf8", "-ww", "-z", page});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
}

class Completion : public Help {
 protected:
  void SetUp() override {
    Help::SetUp();
    if (run_tool("bash", {"--version"}).status != 0) GTEST_SKIP() << "bash is not installed";
    script_ = save_text("lamella.bash", run({"help", "--bash"}).out);
  }

  /// What bash would offer for the last word. Words as bash splits them: at blanks, colons and equal signs.
  [[nodiscard]] std::vector<std::string> offers(const std::vector<std::string>& words) const {
    std::string command = "cd '" + at("") + "' && source '" + script_ + "' && COMP_WORDS=(lamella";
    for (const std::string& word : words) command += " '" + word + "'";
    command += ") COMP_CWORD=" + std::to_string(words.size()) + " && _lamella && printf '%s\\n' \"${COMPREPLY[@]}\"";
    const Outcome outcome = run_tool("bash", {"-c", command});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    std::istringstream lines(outcome.out);
    std::vector<std::string> out;
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) out.push_back(line);
    }
    return out;
  }

  std::string script_;
};

TEST_F(Completion, IsAScriptThatBashReads) {
  const Outcome outcome = run_tool("bash", {"-n", script_});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Completion, OffersEveryCommandAndOption) {
  std::set<std::string> paths;
  const std::vector<Shown> commands = all();
  for (const Shown& shown : commands) {
    std::vector<std::string> words = shown.path;
    words.push_back("-");
    const auto offered = offers(words);
    EXPECT_EQ(std::set<std::string>(offered.begin(), offered.end()), shown.options) << joined_words(shown.path);
    if (shown.path.empty()) continue;
    words.back() = shown.path.back();
    words.erase(words.end() - 2);
    EXPECT_THAT(offers(words), Contains(shown.path.back()));
  }
}

TEST_F(Completion, OffersTheValuesOfOptions) {
  EXPECT_THAT(offers({"self", "a.ply", "--engine", "so"}), ElementsAre("software", "software-wscg"));
  EXPECT_THAT(offers({"scene", "--engine", ""}), ElementsAre("automatic", "software", "cuda", "gl-pairs"));
  EXPECT_THAT(offers({"clash", "--engine", ""}), ElementsAre("automatic", "software", "cuda"));
  EXPECT_THAT(offers({"clash", "--units", ""}), ElementsAre("um", "mm", "cm", "m", "in", "ft"));
  EXPECT_THAT(offers({"intersect", "--axis", ""}), ElementsAre("auto", "x", "y", "z"));
  EXPECT_THAT(offers({"intersect", "--axis", "=", "a"}), ElementsAre("auto"));
  EXPECT_THAT(offers({"intersect", "--axis", "="}), ElementsAre("auto", "x", "y", "z"));
  EXPECT_THAT(offers({"intersect", "--resolution", ""}), IsEmpty());
}

TEST_F(Completion, OffersModelsAndFilesForMeshes) {
  (void)save("part one.ply", make_box({0, 0, 0}, {1, 1, 1}));
  std::filesystem::create_directory(at("parts"));
  EXPECT_THAT(offers({"intersect", "part"}), testing::UnorderedElementsAre("part one.ply", "parts"));
  EXPECT_THAT(offers({"intersect", "model:hand", "mod"}), Contains("model:knot"));
  // As bash has it while someone types model:kn
  EXPECT_THAT(offers({"intersect", "model", ":", "hand", "model", ":", "kn"}), ElementsAre("knot"));
  EXPECT_THAT(offers({"info", "model", ":"}).size(), scenes::catalogue().size());
  EXPECT_THAT(offers({"gi", "info", "mod"}), IsEmpty()) << "it takes no meshes";
  EXPECT_THAT(offers({"models", "he"}), ElementsAre("helicopter"));
  EXPECT_THAT(offers({"models", "-o", "par"}), ElementsAre("parts"));
  EXPECT_THAT(offers({"self", "--picture", "part o"}), ElementsAre("part one.ply"));
}

TEST_F(Completion, OffersFiguresByName) {
  EXPECT_THAT(offers({"figure", "tr395-1"}), ElementsAre("tr395-1", "tr395-10", "tr395-11", "tr395-12"));
  EXPECT_THAT(offers({"intersect", "--draw", ""}), ElementsAre("volume", "boxes", "spans", "self", "forces"));
}

TEST_F(Completion, OffersCommandsBehindHelp) {
  EXPECT_THAT(offers({"help", "inte"}), ElementsAre("intersect"));
  EXPECT_THAT(offers({"help", "gi", ""}), IsSupersetOf({"make", "info", "collide", "picture"}));
  EXPECT_THAT(offers({"help", "--m"}), ElementsAre("--man"));
}

}  // namespace
}  // namespace lamella::test
