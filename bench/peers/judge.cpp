#include "bench/peers/judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bench/table.hpp"

namespace lamella::bench::peers {
namespace {

/// Indices of points whose flags are not the same.
std::vector<std::size_t> differing(const Answer& answer, const Answer& exact) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < answer.inside.size(); ++i) {
    if (answer.inside[i] != exact.inside[i]) points.push_back(i);
  }
  return points;
}

/// All pairs that share a volume: those whose surfaces meet and the nested.
std::vector<BodyPair> all_pairs(const Answer& exact) {
  std::vector<BodyPair> pairs = *exact.bodies;
  pairs.insert(pairs.end(), exact.nested.begin(), exact.nested.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<BodyPair> without(const std::vector<BodyPair>& a, const std::vector<BodyPair>& b) {
  std::vector<BodyPair> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

std::string to_text(const std::vector<BodyPair>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs) text += fmt::format("{}{}-{}", text.empty() ? "" : " ", a, b);
  return text;
}

double error_of(double volume, double exact) { return exact == 0 ? (volume == 0 ? 0 : 1) : volume / exact - 1; }

/// Whether `other` can judge an answer like this one.
bool gives_as_much(const Answer& other, const Answer& answer) {
  if (!answer.inside.empty()) return other.inside.size() == answer.inside.size();
  if (answer.bodies) return other.bodies.has_value();
  return answer.volume && other.volume;
}

/// One of our answers beside the exact one.
class Comparison {
 public:
  Comparison(Verdict& verdict, const Finished& ours, std::size_t pose)
      : verdict_(verdict), who_(fmt::format("{}, pose {}", ours.method.call, pose)), answer_(ours.answers[pose]) {}

  void points(const Answer& exact, const Method& judge, const Tolerance& tolerance) const {
    const std::vector<std::size_t> points = differing(answer_, exact);
    double farthest = 0;
    for (const std::size_t i : points) farthest = std::max(farthest, judge.distance(tolerance.points->points[i]));
    const std::string text = fmt::format("{} of {} flags differ from {}'s, the farthest {:.2f} cells from the surface",
                                         whole(double(points.size())), whole(double(exact.inside.size())),
                                         judge.library, farthest / tolerance.cell);
    tell(text, farthest <= tolerance.cell);
  }

  void volume(double exact, const Method& judge, double tolerance) const {
    const double error = error_of(*answer_.volume, exact);
    tell(fmt::format("volume {:.7g}, {}'s {:.7g}: {:+.4f} %", *answer_.volume, judge.library, exact, 100 * error),
         std::abs(error) <= tolerance);
  }

  void yes_or_no(bool exact, const Method& judge) const {
    const auto word = [](bool is) { return is ? "yes" : "no"; };
    tell(fmt::format("{}, {} says {}", word(*answer_.meets), judge.library, word(exact)), *answer_.meets == exact);
  }

  void bodies(const Answer& exact, const Method& judge) const {
    const std::vector<BodyPair> all = all_pairs(exact);
    const std::vector<BodyPair> missed = without(all, *answer_.bodies), invented = without(*answer_.bodies, all);
    std::string text = fmt::format("{} pairs; {} has {} whose surfaces meet and {} of a body inside another ({})",
                                   answer_.bodies->size(), judge.library, exact.bodies->size(), exact.nested.size(),
                                   to_text(exact.nested));
    if (!missed.empty()) text += fmt::format("; missed {}", to_text(missed));
    if (!invented.empty()) text += fmt::format("; not there {}", to_text(invented));
    tell(text, missed.empty() && invented.empty());
  }

 private:
  void tell(const std::string& text, bool right) const {
    verdict_.agreement += fmt::format("{}: {}{}\n", who_, text, right ? "" : ". WRONG");
    if (!right) verdict_.problems.push_back(fmt::format("{}: {}", who_, text));
  }

  Verdict& verdict_;
  std::string who_;
  const Answer& answer_;
};

bool is_judged(const Finished& entry) { return entry.method.ours && !entry.method.detail; }

void compare(Verdict& verdict, const Finished& ours, const Finished& judge, std::size_t pose,
             const Tolerance& tolerance) {
  const Comparison comparison(verdict, ours, pose);
  const Answer &answer = ours.answers[pose], &exact = judge.answers[pose];
  if (!answer.inside.empty() && exact.inside.size() == answer.inside.size()) {
    comparison.points(exact, judge.method, tolerance);
  }
  if (answer.volume && exact.volume) comparison.volume(*exact.volume, judge.method, tolerance.volume_error);
  if (answer.meets && exact.meets) comparison.yes_or_no(*exact.meets, judge.method);
  if (answer.bodies && exact.bodies) comparison.bodies(exact, judge.method);
}

}  // namespace

const Finished* exact_for(const std::vector<Finished>& entries, const Answer& answer) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Finished& entry) {
    return entry.method.exact && gives_as_much(entry.answers[0], answer);
  });
  return found == entries.end() ? nullptr : &*found;
}

Verdict judge(const std::vector<Finished>& entries, const Tolerance& tolerance) {
  Verdict verdict;
  for (const Finished& exact : entries) {
    if (!exact.method.exact) continue;
    for (std::size_t pose = 0; pose < kPoses; ++pose) {
      if (exact.method.distance) exact.method.run(pose);  // which it is asked about now
      for (const Finished& entry : entries) {
        if (is_judged(entry)) compare(verdict, entry, exact, pose, tolerance);
      }
    }
  }
  if (verdict.agreement.empty()) {
    verdict.agreement = "Not checked: no library here has exact answers. CGAL would have.\n";
  }
  return verdict;
}

std::string to_text(const Answer& answer, const Answer* exact) {
  if (!answer.inside.empty()) {
    const auto inside = std::count(answer.inside.begin(), answer.inside.end(), 1);
    const std::string text = fmt::format("{} inside", whole(double(inside)));
    if (exact == nullptr || exact == &answer) return text;
    return fmt::format("{}, {} differ", text, whole(double(differing(answer, *exact).size())));
  }
  if (answer.volume) {
    const std::string text = fmt::format("{:.7f}", *answer.volume);
    if (exact == nullptr || exact == &answer) return text;
    return fmt::format("{} ({:+.4f} %)", text, 100 * error_of(*answer.volume, *exact->volume));
  }
  if (answer.triangle_pairs) return fmt::format("{} pairs", whole(double(*answer.triangle_pairs)));
  if (answer.contact_points) return fmt::format("{} points", whole(double(*answer.contact_points)));
  if (answer.bodies) {
    if (exact == nullptr) return fmt::format("{} pairs", answer.bodies->size());
    const std::vector<BodyPair> all = all_pairs(*exact);
    const std::size_t missed = without(all, *answer.bodies).size(), invented = without(*answer.bodies, all).size();
    return fmt::format("{} of {} pairs{}", all.size() - missed, all.size(),
                       invented == 0 ? "" : fmt::format(", {} that are none", invented));
  }
  return answer.meets.value_or(false) ? "yes" : "no";
}

Row to_row(const Answer& answer, const Answer* exact) {
  Row row;
  if (!answer.inside.empty()) {
    row.set({"inside", std::count(answer.inside.begin(), answer.inside.end(), 1)});
    if (exact != nullptr) row.set({"differ", differing(answer, *exact).size()});
  }
  if (answer.meets) row.set({"meets", *answer.meets});
  if (answer.volume) row.set({"volume", *answer.volume});
  if (answer.volume && exact != nullptr) row.set({"volume_error", error_of(*answer.volume, *exact->volume)});
  if (answer.triangle_pairs) row.set({"triangle_pairs", *answer.triangle_pairs});
  if (answer.contact_points) row.set({"contact_points", *answer.contact_points});
  if (answer.bodies) {
    row.set({"body_pairs", answer.bodies->size()});
    if (exact != nullptr) {
      const std::vector<BodyPair> all = all_pairs(*exact);
      row.set({"missed", without(all, *answer.bodies).size()});
      row.set({"not_there", without(*answer.bodies, all).size()});
    }
  }
  return row;
}

}  // namespace lamella::bench::peers
