#include "cli/clash/baseline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "cli/clash/words.hpp"
#include "cli/common.hpp"
#include "cli/scene/located_reader.hpp"
#include "cli/scene/names.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{512} << 20;
constexpr double kRelative = 0.01;
constexpr double kMaxNumber = 1e300;
constexpr double kFormat = 1;  ///< of reports (docs/clash-report.schema.json)

using Names = std::pair<std::string, std::string>;

Names in_order(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

std::optional<Verdict> parse_verdict(std::string_view word) {
  for (const Verdict verdict : {Verdict::clear, Verdict::colliding, Verdict::undecided})
    if (word == to_string(verdict)) return verdict;
  return std::nullopt;
}

const char* word_of(WayOut way) { return way == WayOut::none ? "none" : way == WayOut::normal ? "normal" : "shortest"; }

std::string tolerance_words(const std::optional<Tolerance>& tolerance) {
  if (!tolerance) return "none";
  return tolerance->absolute > 0 ? fmt::format("{} absolute", tolerance->absolute)
                                 : fmt::format("{} relative", tolerance->relative);
}

/// Of a file that is not trusted: the words that options have are short.
std::string short_text(std::string text) {
  constexpr std::size_t kLongest = 16;
  return text.size() <= kLongest ? std::move(text) : in_quotes(text);
}

/// Those that change what is found, by the names that reports give them.
OptionWords words_of(const ClashOptions& options) {
  return {{"clearance", fmt::format("{}", options.clearance)},
          {"touch", fmt::format("{}", options.touch)},
          {"resolution", fmt::format("{}", static_cast<double>(options.resolution))},
          {"way_out", word_of(options.way_out)},
          {"certify", fmt::format("{}", options.certify)},
          {"close_holes", fmt::format("{}", options.close_holes)},
          {"tolerance", tolerance_words(options.tolerance)}};
}

/// Whether a pair is something to report.
bool is_finding(ClashClass kind, Verdict verdict) { return kind != ClashClass::clear || verdict == Verdict::undecided; }

class Reader : private LocatedReader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : LocatedReader(path, {.max_bytes = kMaxBytes,
                             .name = "report to compare with",
                             .remedy = "leave out --keep-clear when it is made"}) {}

  Baseline read() {
    const Value& root = json_.root();
    expect(root, Kind::object, "a report");
    const Value* query = json_.find(root, "query");
    if (!query || query->kind != Kind::string || !json_.is_text(*query, "clash")) {
      fail(query ? *query : root, "is no report of clashes; write one with: lamella clash … --json > FILE");
    }
    const Value& format = required(root, "format", "a report");
    expect(format, Kind::number, "\"format\"");
    if (json_.number(format) != kFormat) {
      fail(format, fmt::format("the report is of format {:g}, and this program reads format {:g}; write it again with "
                               "this program",
                               json_.number(format), kFormat));
    }
    Baseline out{.file = file_name(json_.path()), .complete = true, .unit = {}, .pairs = {}};
    out.complete = flag(required(root, "complete", "a report"), "\"complete\"");
    const Value& unit = required(root, "unit", "a report");
    if (unit.kind != Kind::null) out.unit = text(unit, "\"unit\"");
    const Value& pairs = required(root, "pairs", "a report");
    expect(pairs, Kind::array, "\"pairs\"");
    for (std::size_t i = 0; i < pairs.items.size(); ++i) read_pair(pairs.items[i], fmt::format("pair {}", i), out);
    read_options(required(root, "options", "a report"), out);
    return out;
  }

 private:
  template <class Parse>
  auto word(const Value& value, const std::string& what, const Parse& parse) const {
    const std::string given = text(value, what);
    if (const auto known = parse(given)) return *known;
    fail(value, fmt::format("{} is {}, which is none", what, in_quotes(given)));
  }

  [[nodiscard]] std::string words_at(const Value& value, const std::string& what) const {
    switch (value.kind) {
      case Kind::null:
        return "none";
      case Kind::boolean:
        return fmt::format("{}", json_.flag(value));
      case Kind::number:
        return fmt::format("{}", json_.number(value));
      case Kind::string:
        return short_text(json_.text(value));
      default:
        break;
    }
    expect(value, Kind::object, what);
    for (const char* key : {"relative", "absolute"})
      if (const Value* amount = json_.find(value, key))
        return fmt::format("{} {}", number(*amount, what, 0, kMaxNumber), key);
    return "none";
  }

  void read_options(const Value& value, Baseline& out) const {
    expect(value, Kind::object, "\"options\"");
    for (const auto& [key, words] : words_of({}))
      if (const Value* given = json_.find(value, key))
        out.options.emplace_back(key, words_at(*given, fmt::format("\"{}\" of the options", key)));
  }

  void read_pair(const Value& value, const std::string& what, Baseline& out) const {
    expect(value, Kind::object, what);
    const auto named = [&](const char* key) { return text(required(value, key, what), "a name of " + what); };
    const auto length = [&](const char* key) {
      return number(required(value, key, what), fmt::format("\"{}\" of {}", key, what), 0, kMaxNumber);
    };
    EarlierClash pair;
    pair.kind = word(required(value, "class", what), "the class of " + what, parse_clash_class);
    pair.verdict = word(required(value, "verdict", what), "the verdict of " + what, parse_verdict);
    pair.allowed = flag(required(value, "allowed", what), "\"allowed\" of " + what);
    pair.volume = length("volume");
    pair.volume_error = length("volume_error");
    pair.depth = length("depth");
    const Value& distance = required(value, "distance", what);
    pair.distance = distance.kind == Kind::null ? HUGE_VAL : length("distance");
    if (!is_finding(pair.kind, pair.verdict)) return;
    if (!out.pairs.emplace(in_order(named("a"), named("b")), pair).second)
      fail(value, fmt::format("{} is of two parts that an earlier one has; names must differ", what));
  }
};

/// By more than 1 % and `slack`: 1: more, -1: less, 0: neither.
int moved(double before, double now, double slack = 0) {
  if (before == now) return 0;
  if (!std::isfinite(before) || !std::isfinite(now)) return now > before ? 1 : -1;
  const double least = std::max(slack, kRelative * std::max(std::abs(before), std::abs(now)));
  return now - before > least ? 1 : before - now > least ? -1 : 0;
}

struct Difference {
  bool changed = false, worse = false;
};

Difference difference(const EarlierClash& before, const ClashPair& now) {
  const int volume = moved(before.volume, now.volume, before.volume_error + now.volume_error);
  const int depth = before.depth > 0 && now.depth > 0 ? moved(before.depth, now.depth) : 0;
  const int distance = moved(before.distance, now.distance);
  Difference out;
  out.changed = before.kind != now.kind || before.verdict != now.verdict || before.allowed != now.allowed ||
                volume != 0 || depth != 0 || distance != 0;
  const bool verdict_is_worse =
      before.verdict != now.verdict && (now.verdict == Verdict::colliding || before.verdict == Verdict::clear);
  out.worse = now.kind > before.kind || (before.allowed && !now.allowed) || verdict_is_worse || volume > 0 ||
              depth > 0 || distance < 0;
  return out;
}

}  // namespace

Baseline read_clash_baseline(const std::filesystem::path& path) { return Reader(path).read(); }

std::vector<bool> compare(const Baseline& baseline, ClashAnswer& answer) {
  const ClashReport& report = answer.report;
  std::vector<bool> worse(report.pairs.size());
  answer.changes.assign(report.pairs.size(), ClashChange::same);
  std::set<Names> found;
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const ClashPair& pair = report.pairs[i];
    if (!is_finding(pair.kind, pair.verdict)) continue;  // --keep-clear lists it
    Names names = in_order(in_json(answer.assembly.parts[pair.a].name), in_json(answer.assembly.parts[pair.b].name));
    const auto before = baseline.pairs.find(names);
    if (before == baseline.pairs.end()) {
      answer.changes[i] = ClashChange::added;
      continue;
    }
    found.insert(std::move(names));
    const Difference now = difference(before->second, pair);
    if (now.changed) answer.changes[i] = ClashChange::changed;
    worse[i] = now.worse;
  }
  if (!report.complete) return worse;  // what is missing may not have been tested
  for (const auto& [names, pair] : baseline.pairs) {
    if (!found.contains(names)) answer.gone.push_back({names.first, names.second, pair.kind, pair.volume});
  }
  return worse;
}

std::vector<std::string> doubts_of(const Baseline& baseline, const ClashAnswer& answer) {
  std::vector<std::string> doubts;
  const OptionWords now = words_of(answer.options);
  std::string differences;
  for (const auto& [key, before] : baseline.options) {
    const auto same_key = std::find_if(now.begin(), now.end(), [&](const auto& option) { return option.first == key; });
    if (same_key == now.end() || same_key->second == before) continue;
    differences += fmt::format("{}{} was {} and is {}", differences.empty() ? "" : ", ", key, before, same_key->second);
  }
  if (!differences.empty()) {
    doubts.push_back(
        fmt::format("{}: that run had other options, so pairs may be new, changed or gone for that alone: {}",
                    baseline.file, differences));
  }
  if (!baseline.complete) {
    doubts.push_back(fmt::format(
        "{}: that run was stopped early, so some pairs may count as new that it had not come to", baseline.file));
  }
  if (!answer.report.complete) {
    doubts.emplace_back("this run was stopped early, so it does not tell which pairs of the earlier report are gone");
  }
  return doubts;
}

}  // namespace lamella::cli
