// A clash report as a BCF 2.1 archive: a topic with a viewpoint and a snapshot for each finding, for tools in which
// clashes are handed to people and followed up.

#include "cli/clash/bcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "cli/clash/bcf_guid.hpp"
#include "cli/clash/bcf_topic.hpp"
#include "cli/clash/bcf_zip.hpp"
#include "cli/clash/snapshot.hpp"
#include "cli/common.hpp"
#include "cli/progress.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

/// Now; or what SOURCE_DATE_EPOCH says, for files that are the same each time (reproducible-builds.org).
std::int64_t report_time() {
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  if (given == nullptr || *given == '\0') {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  constexpr std::int64_t kEndOfYear9999 = 253402300799;
  std::int64_t seconds = 0;
  const char* end = given + std::strlen(given);
  const auto [stopped, failure] = std::from_chars(given, end, seconds);
  if (failure != std::errc() || stopped != end || seconds < 0 || seconds > kEndOfYear9999)
    throw Error(fmt::format("SOURCE_DATE_EPOCH: expected seconds since 1970, found '{}'", printable(given)));
  return seconds;
}

/// In the order of the report, but what is allowed comes last.
std::vector<BcfTopic> topics_of(const ClashAnswer& answer) {
  const std::vector<std::string> guids = bcf_guids(answer);
  std::vector<BcfTopic> topics;
  for (std::size_t i = 0; i < guids.size(); ++i) {
    const ClashFinding& finding = answer.report.findings[i];
    if (!finding.pairs.empty()) topics.push_back({&finding, guids[i]});
  }
  std::stable_partition(topics.begin(), topics.end(), [](const BcfTopic& t) { return !t.finding->allowed; });
  for (std::uint32_t i = 0; i < topics.size(); ++i) topics[i].index = i + 1;
  return topics;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void add_topic(ZipArchive& archive, const ClashAnswer& answer, const BcfTopic& topic, const std::string& date,
               PlacedParts& parts, picture::Size snapshot) {
  const ClashPair& worst = answer.report.pairs[topic.finding->pairs.front()];
  const ClashView view = view_of(worst, parts);
  const std::string folder = topic.guid + "/";
  archive.add(folder + "markup.bcf", bcf_markup(answer, topic, date));
  archive.add(folder + std::string(kBcfViewpointFile), bcf_viewpoint(answer, topic, view));
  archive.add(folder + std::string(kBcfSnapshotFile),
              text_of(picture::to_png(draw_clash(parts, answer, worst, snapshot))), ZipArchive::Method::store);
}

}  // namespace

void write_clash_bcf(const std::filesystem::path& path, const ClashAnswer& answer, const BcfOptions& options) {
  NewFile file(path);
  const std::int64_t time = report_time();
  std::vector<BcfTopic> topics = topics_of(answer);
  const std::size_t all = topics.size();
  topics.resize(std::min(all, options.most_topics));
  std::string name = answer.title;
  if (all > topics.size()) {
    name += fmt::format(" (the worst {} of {} findings)", topics.size(), grouped(all));
    complain(fmt::format("{}: has the worst {} of {} findings; --json and --csv have them all", path.string(),
                         topics.size(), grouped(all)));
  }
  if (!answer.report.complete)
    name += fmt::format(" (stopped early: {} of {} candidates were tested)", grouped(answer.report.tested_count),
                        grouped(answer.report.candidate_count));
  ZipArchive archive(time);
  archive.add("bcf.version", bcf_version());
  archive.add("project.bcfp", bcf_project(name, guid_of(bcf_project_of(answer) + " project")));
  PlacedParts parts(answer.assembly);
  Progress progress("BCF topics");
  for (const BcfTopic& topic : topics) {
    add_topic(archive, answer, topic, bcf_date(time), parts, options.snapshot);
    progress.update(topic.index, topics.size());
  }
  file.write(archive.finish());
  file.commit();
}

void write_clash_bcf(const std::filesystem::path& path, const ClashAnswer& answer) {
  write_clash_bcf(path, answer, {});
}

void require_bcf(const std::filesystem::path&) {}

}  // namespace lamella::cli
