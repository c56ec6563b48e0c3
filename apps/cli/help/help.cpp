#include "cli/help/help.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/common.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string, CLI::AppFormatMode) const override {
    return help_text(outline_of(*command));
  }
};

struct Args {
  std::vector<std::string> words;
  bool man = false, bash = false;
};

std::string help_on(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* command = &program;
  for (const std::string& word : words) {
    if (!has_subcommand(*command, word)) throw Error(fmt::format("help: {}", explain_subcommand(*command, word)));
    command = command->get_subcommand(word);
  }
  return help_text(outline_of(*command));
}

std::string answer(const CLI::App& program, const Args& args) {
  if (args.man) return man_page(outline_of(program));
  if (args.bash) return bash_completion(outline_of(program));
  return help_on(program, args.words);
}

}  // namespace

void use_help_text(CLI::App& program) {
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_help_flag("-h,--help", "how to use it");
}

void add_help(CLI::App& program, int& status) {
  const auto args = std::make_shared<Args>();
  CLI::App* command = program.add_subcommand("help", "How to use the program, or one of its commands");
  CLI::Option* words = command->add_option("COMMAND", args->words, "such as intersect, or gi make; none: all of them");
  words->type_name("");
  CLI::Option* man = command->add_flag("--man", args->man, "the whole manual on stdout, as a man page");
  CLI::Option* bash = command->add_flag("--bash", args->bash, "a script on stdout that makes bash complete commands");
  man->excludes(bash)->excludes(words);
  bash->excludes(words);
  command->footer(
      "Examples:\n"
      "  lamella help gi make\n"
      "  lamella help --man | man -l -\n"
      "  source <(lamella help --bash)");
  command->callback([args, &program, &status] {
    fmt::print("{}", answer(program, *args));
    status = kAnswered;
  });
}

}  // namespace lamella::cli
