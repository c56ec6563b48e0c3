#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// What subcommands use of CLI11, without its headers, which take long to compile.

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lamella::cli {

/// An option of a command, to say more about it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  Option type_name(const std::string& name) const;           ///< of its value in the help; empty: none
  Option default_str(const std::string& value) const;        ///< shown in the help
  Option description(const std::string& description) const;  ///< in place of the one it was added with
  Option excludes(Option other) const;
  Option needs(Option other) const;  ///< makes no sense without it
  /// Not in the help, and excluding no other.
  void hide() const;
  /// On the command line; after the parse.
  [[nodiscard]] bool given() const;

 private:
  CLI::Option* option_;
};

/// A subcommand, or the program. A name without dashes is a positional argument. Targets must live until the parse is
/// over. An option may be given once, one that fills a list any number of times.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_subcommand(const std::string& name, const std::string& description) const;
  void require_subcommand() const;
  /// The heading in the help under which the options come that are added from now on.
  void options_under(const std::string& heading) const;
  Option add_option(const std::string& name, std::string& target, const std::string& description) const;
  Option add_option(const std::string& name, std::filesystem::path& target, const std::string& description) const;
  Option add_option(const std::string& name, std::vector<std::string>& target, const std::string& description) const;
  Option add_option(const std::string& name, std::vector<std::filesystem::path>& target,
                    const std::string& description) const;
  Option add_flag(const std::string& name, bool& target, const std::string& description) const;
  /// Takes one text, handed to `use`. Given twice, the last counts: a script's default can be overridden at the end of
  /// the line.
  Option add_text(const std::string& name, const std::string& type, std::function<void(const std::string&)> use,
                  const std::string& description) const;
  /// One that was added.
  [[nodiscard]] Option option(const std::string& name) const;
  void footer(const std::string& text) const;
  /// Takes whatever follows, unread.
  void ignore_arguments() const;
  /// Called when the command was given.
  void callback(std::function<void()> run) const;

 private:
  CLI::App* app_;
};

}  // namespace lamella::cli
