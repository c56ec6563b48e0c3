#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/figure/figures.hpp"
#include "cli/help/help.hpp"
#include "lamella/engine.hpp"
#include "scenes/catalogue.hpp"
#include "scenes/models.hpp"

namespace lamella::cli {
namespace {

// The script has a table of commands, and code that does not change. In the table an option is its name; one that takes
// a value has "=" behind it and what the value is: "@" a file, "/" a folder, "a|b|c" one of these, "*" anything else.

/// What stands behind a command: words that are listed behind "=", files, files and models, or nothing.
constexpr std::string_view kNothing = "none", kFiles = "file", kMeshes = "mesh";

bool ends_like_a_file(std::string_view value) {
  return value.starts_with("OUT.") || value.starts_with("FILE") || value == "FLAGS" || value == "ORIGINAL";
}

/// For scenes there are other engines than for two meshes.
bool is_of_scenes(std::string_view path) {
  return path == "scene" || path == "bench scene" || path.starts_with("simulate");
}

std::string engines_for(std::string_view path) {
  if (is_of_scenes(path)) return "automatic|software|cuda|gl-pairs";
  if (path == "clash") return "automatic|software|cuda";
  return fmt::format("automatic|{}", fmt::join(engine_names(), "|"));
}

std::string value_of(const CommandOutline& command, const OptionOutline& option) {
  const std::string& name = option.names.back();
  if (name == "--engine") return engines_for(command.path);
  if (name == "--model") return fmt::format("{}", fmt::join(scenes::model_names(), "|"));
  if (option.value.find('|') != std::string::npos) return option.value;
  if (option.value == "DIR") return "/";
  return ends_like_a_file(option.value) ? "@" : "*";
}

std::string options_of(const CommandOutline& command) {
  std::vector<std::string> words;
  for (const OptionGroup& group : command.groups) {
    for (const OptionOutline& option : group.options) {
      for (const std::string& name : option.names) {
        words.push_back(option.value.empty() ? name : fmt::format("{}={}", name, value_of(command, option)));
      }
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string figure_names() {
  std::vector<std::string_view> names;
  for (const Figure& figure : figures()) names.push_back(figure.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string arguments_of(const CommandOutline& command) {
  if (command.path == "models") return "models";
  if (command.path == "figure") return fmt::format("={}", figure_names());
  const auto takes_models = [](const OptionOutline& a) { return a.description.find("model:") != std::string::npos; };
  if (std::any_of(command.arguments.begin(), command.arguments.end(), takes_models)) return std::string(kMeshes);
  return std::string(command.arguments.empty() ? kNothing : kFiles);
}

std::string subcommands_of(const CommandOutline& command) {
  std::vector<std::string> names;
  for (const CommandOutline& sub : command.subcommands) names.push_back(sub.path.substr(sub.path.rfind(' ') + 1));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string table_of(const CommandOutline& command) {
  std::string text =
      fmt::format("    '{}')\n      subcommands='{}'\n      arguments='{}'\n      options='{}'\n      ;;\n",
                  command.path, subcommands_of(command), arguments_of(command), options_of(command));
  for (const CommandOutline& sub : command.subcommands) text += table_of(sub);
  return text;
}

std::string model_names() {
  std::vector<std::string_view> names;
  for (const scenes::CatalogueModel& model : scenes::catalogue()) names.push_back(model.name);
  return fmt::format("{}", fmt::join(names, " "));
}

constexpr std::string_view kBegin = R"script(# bash completion for lamella; `lamella help --bash` makes it.

# Sets subcommands, arguments and options of the command $1.
_lamella_command() {
  case "$1" in
)script";

constexpr std::string_view kEnd = R"script(    *)
      return 1
      ;;
  esac
}

# What the option $1 takes, of the words in $options; fails when it takes nothing.
_lamella_value() {
  local option
  for option in $options; do
    if [[ $option == "$1="* ]]; then
      echo "${option#*=}"
      return 0
    fi
  done
  return 1
}

_lamella_files() { # f or d
  compopt -o filenames 2>/dev/null
  local found
  mapfile -t found < <(compgen -"$1" -- "$current")
  COMPREPLY+=("${found[@]}")
}

_lamella_words() {
  local found
  mapfile -t found < <(compgen -W "$1" -- "$current")
  COMPREPLY+=("${found[@]}")
}

_lamella() {
  local words=() word current before='' path='' value helping=''
  local subcommands='' arguments='' options=''
  COMPREPLY=()
  # Bash splits words at : and =; models need the first, and --option=value is an option and its value.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($word == :* || ${words[-1]} == *:) ]]; then
      words[-1]+=$word
    elif [[ $word == = ]]; then
      before='='
    elif [[ $word == --*=* ]]; then
      words+=("${word%%=*}" "${word#*=}")
    else
      words+=("$word")
      before=''
    fi
  done
  [[ $before == = ]] && words+=('')
  [[ ${#words[@]} -gt 0 ]] || words=('')
  current=${words[-1]}
  unset 'words[-1]'

  # Behind `help` come commands, as behind nothing.
  if [[ ${words[0]-} == help && $current != -* ]]; then
    words=("${words[@]:1}")
    helping=yes
  fi
  _lamella_command ''
  before=''
  for word in "${words[@]}"; do
    if [[ -n $before ]] && _lamella_value "$before" >/dev/null; then
      before='' # the value of the option before it
      continue
    fi
    before=$word
    if [[ " $subcommands " == *" $word "* ]]; then
      path=${path:+$path }$word
      _lamella_command "$path"
    fi
  done
  if [[ -n $helping ]]; then
    _lamella_words "$subcommands"
    return 0
  fi

  if [[ -n $before ]] && value=$(_lamella_value "$before"); then
    case $value in
      @) _lamella_files f ;;
      /) _lamella_files d ;;
      \*) ;;
      *) _lamella_words "${value//|/ }" ;;
    esac
    return 0
  fi
  if [[ $current == -* ]]; then
    local names=''
    for word in $options; do names+=" ${word%%=*}"; done
    _lamella_words "$names"
    return 0
  fi
  case $arguments in
    models) _lamella_words "$_lamella_models" ;;
    mesh)
      _lamella_files f
      local models=()
      for word in $_lamella_models; do models+=("model:$word"); done
      _lamella_words "${models[*]}"
      ;;
    file) _lamella_files f ;;
    =*) _lamella_words "${arguments#=}" ;;
    *) _lamella_words "$subcommands" ;;
  esac
  # Bash replaces only what is behind the last colon.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local i colon=${current%"${current##*:}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$colon"}; done
  fi
  return 0
}

complete -F _lamella lamella
)script";

}  // namespace

std::string bash_completion(const CommandOutline& program) {
  return fmt::format("{}{}{}", kBegin, table_of(program), kEnd) +
         fmt::format("\n_lamella_models='{}'\n", model_names());
}

}  // namespace lamella::cli
