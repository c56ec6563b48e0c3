// Answers as lines of text. A line is a function of its answer alone, so that files are the same to the byte however
// their jobs were dealt out.

#include <array>
#include <cctype>

#include "lamella/answer_file.hpp"
#include "sweep/numbers.hpp"

namespace lamella {
namespace {

using sweep_parts::append_number;

/// What made an answer doubtful; counts of Health that are not 0.
struct Cause {
  std::string_view name;
  std::uint64_t count;
};

std::array<Cause, 6> causes_of(const Health& h) {
  return {{{"open_columns", h.open_columns},
           {"inside_out_columns", h.inside_out_columns},
           {"skipped_triangles", h.skipped_triangles},
           {"dropped_crossings", h.dropped_crossings},
           {"uncertain_spans", h.uncertain_spans},
           {"closed_edges", h.closed_edges}}};
}

void append_flag(std::string& text, bool value) { text += value ? "true" : "false"; }

void append_csv(std::string& text, const AnswerStyle& style, std::uint64_t index, const PairOverlap& a) {
  append_number(text, index);
  text += ',';
  text += to_string(a.verdict);
  text += ',';
  append_flag(text, a.colliding());
  text += ',';
  append_number(text, a.volume);
  text += ',';
  append_number(text, a.volume_error);
  for (int i = 0; i < 3; ++i) {
    text += ',';
    if (a.colliding()) append_number(text, a.centroid[i]);
  }
  text += ',';
  append_number(text, a.span_count);
  text += ',';
  append_flag(text, a.health.ok());
  text += ',';
  bool more = false;
  for (const Cause& cause : causes_of(a.health))
    if (cause.count != 0) {
      if (more) text += ' ';
      more = true;
      text += cause.name;
      text += '=';
      append_number(text, cause.count);
    }
  if (style.certainty) {
    text += ',';
    append_flag(text, a.certificate.certain);
  }
  if (style.tolerance) {
    text += ',';
    append_flag(text, a.tolerance_met);
  }
  text += '\n';
}

void append_json(std::string& text, const AnswerStyle& style, std::uint64_t index, const PairOverlap& a) {
  text += R"({"index":)";
  append_number(text, index);
  text += R"(,"colliding":)";
  append_flag(text, a.colliding());
  text += R"(,"verdict":")";
  text += to_string(a.verdict);
  text += R"(","volume":)";
  append_number(text, a.volume);
  text += R"(,"volume_error":)";
  append_number(text, a.volume_error);
  text += R"(,"centroid":)";
  if (a.colliding()) {
    for (int i = 0; i < 3; ++i) {
      text += i == 0 ? '[' : ',';
      append_number(text, a.centroid[i]);
    }
    text += ']';
  } else {
    text += "null";
  }
  text += R"(,"spans":)";
  append_number(text, a.span_count);
  text += R"(,"health":{"ok":)";
  append_flag(text, a.health.ok());
  for (const Cause& cause : causes_of(a.health))
    if (cause.count != 0) {
      text += ",\"";
      text += cause.name;
      text += "\":";
      append_number(text, cause.count);
    }
  text += '}';
  if (style.certainty) {
    text += R"(,"certain":)";
    append_flag(text, a.certificate.certain);
  }
  if (style.tolerance) {
    text += R"(,"tolerance_met":)";
    append_flag(text, a.tolerance_met);
  }
  text += "}\n";
}

}  // namespace

std::optional<AnswerStyle::Format> answer_format(const std::filesystem::path& path) {
  const auto format = job_format(path);
  if (format == JobFormat::csv) return AnswerStyle::Format::csv;
  if (format == JobFormat::json_lines) return AnswerStyle::Format::json_lines;
  return std::nullopt;
}

void append_header(std::string& text, const AnswerStyle& style) {
  if (style.format != AnswerStyle::Format::csv) return;
  text += "index,verdict,colliding,volume,volume_error,centroid_x,centroid_y,centroid_z,spans,ok,why";
  if (style.certainty) text += ",certain";
  if (style.tolerance) text += ",tolerance_met";
  text += '\n';
}

void append_answers(std::string& text, const AnswerStyle& style, std::uint64_t first,
                    std::span<const PairOverlap> answers) {
  const auto append = style.format == AnswerStyle::Format::csv ? append_csv : append_json;
  for (std::size_t i = 0; i < answers.size(); ++i) append(text, style, first + i, answers[i]);
}

void AnswerCounts::add(std::span<const PairOverlap> answers) {
  for (const PairOverlap& a : answers) {
    ++(a.verdict == Verdict::clear ? clear : a.verdict == Verdict::colliding ? colliding : undecided);
    if (!a.health.ok()) ++not_ok;
  }
}

}  // namespace lamella
