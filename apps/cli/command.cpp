#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace lamella::cli {

Option Option::required() const { return Option(option_->required()); }
Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::default_str(const std::string& value) const { return Option(option_->default_str(value)); }
Option Option::description(const std::string& description) const { return Option(option_->description(description)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
void Option::hide() const {
  option_->group("");
  for (CLI::Option* other : std::set<CLI::Option*>(option_->get_excludes())) {
    option_->remove_excludes(other);
    other->remove_excludes(option_);
  }
}
bool Option::given() const { return option_->count() != 0; }

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description));
}
void Command::require_subcommand() const { app_->require_subcommand(1); }
void Command::options_under(const std::string& heading) const { app_->option_defaults()->group(heading); }
Option Command::add_option(const std::string& name, std::string& target, const std::string& description) const {
  return Option(app_->add_option(name, target, description));
}
Option Command::add_option(const std::string& name, std::filesystem::path& target,
                           const std::string& description) const {
  return Option(app_->add_option(name, target, description));
}
Option Command::add_option(const std::string& name, std::vector<std::string>& target,
                           const std::string& description) const {
  return Option(app_->add_option(name, target, description)->allow_extra_args(!name.starts_with('-')));
}
Option Command::add_option(const std::string& name, std::vector<std::filesystem::path>& target,
                           const std::string& description) const {
  return Option(app_->add_option(name, target, description)->allow_extra_args(!name.starts_with('-')));
}
Option Command::add_flag(const std::string& name, bool& target, const std::string& description) const {
  return Option(app_->add_flag(name, target, description));
}
Option Command::add_text(const std::string& name, const std::string& type, std::function<void(const std::string&)> use,
                         const std::string& description) const {
  return Option(app_->add_option_function<std::string>(name, std::move(use), description)
                    ->type_name(type)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast));
}
Option Command::option(const std::string& name) const { return Option(app_->get_option(name)); }
void Command::footer(const std::string& text) const { app_->footer(text); }
void Command::ignore_arguments() const { app_->allow_extras(); }
void Command::callback(std::function<void()> run) const { app_->callback(std::move(run)); }

}  // namespace lamella::cli
