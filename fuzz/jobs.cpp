// Any bytes as a file of jobs. The format is chosen by the bytes: binary by its magic, JSON lines by a brace at the
// start, else CSV.

#include "lamella/job_file.hpp"

#include <cmath>

#include "reading.hpp"

namespace lamella::fuzz {
namespace {

/// All that readers tell of a file, up to its first error.
struct Story {
  std::vector<PairJob> jobs;
  std::vector<std::uint64_t> lines;
  std::vector<std::string> meshes;
  JobMark end;
  std::string message;  ///< of the error; empty without
};

void add(const JobBlock& block, Story& story) {
  require(block.first == story.end.jobs, "blocks follow each other");
  require(block.end.jobs == block.first + block.jobs.size(), "marks count jobs");
  require(block.end.bytes >= story.end.bytes, "marks go forward");
  story.jobs.insert(story.jobs.end(), block.jobs.begin(), block.jobs.end());
  story.lines.insert(story.lines.end(), block.lines.begin(), block.lines.end());
  story.meshes.insert(story.meshes.end(), block.new_meshes.begin(), block.new_meshes.end());
  story.end = block.end;
}

Story read(const std::filesystem::path& path, std::size_t most, const Story* before = nullptr) {
  Story story;
  try {
    JobReader reader(path);
    if (before != nullptr) {
      reader.go_to(before->end, before->meshes);
      story = *before;
      story.message.clear();
    }
    JobBlock block;
    for (reader.read(block, most); !block.jobs.empty(); reader.read(block, most)) {
      require(block.jobs.size() <= most, "blocks are as small as asked for");
      add(block, story);
    }
  } catch (const Error& e) {
    story.message = e.what();
    require(!story.message.empty() && story.message.find('\n') == std::string::npos, "a message is one line");
  }
  return story;
}

void check(const Story& story) {
  for (const PairJob& job : story.jobs) {
    require(job.a < story.meshes.size() && job.b < story.meshes.size(), "jobs have meshes with names");
    for (const Transform* pose : {&job.pose_a, &job.pose_b}) {
      const Quaternion& q = pose->rotation;
      require(std::isfinite(pose->translation.x + pose->translation.y + pose->translation.z), "poses are finite");
      require(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 2e-3, "rotations have length 1");
    }
  }
  for (const std::string& name : story.meshes) require(!name.empty(), "meshes have names");
}

bool same_number(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }
bool same_pose(const Transform& x, const Transform& y) {
  const Quaternion &p = x.rotation, &q = y.rotation;
  return same_number(x.translation.x, y.translation.x) && same_number(x.translation.y, y.translation.y) &&
         same_number(x.translation.z, y.translation.z) && same_number(p.x, q.x) && same_number(p.y, q.y) &&
         same_number(p.z, q.z) && same_number(p.w, q.w);
}
bool same_jobs(const std::vector<PairJob>& x, const std::vector<PairJob>& y) {
  return std::ranges::equal(x, y, [](const PairJob& a, const PairJob& b) {
    return a.a == b.a && a.b == b.b && a.resolution == b.resolution && same_pose(a.pose_a, b.pose_a) &&
           same_pose(a.pose_b, b.pose_b);
  });
}

/// Blank lines at the end may be before the last mark, or after it.
bool same(const Story& x, const Story& y) {
  return same_jobs(x.jobs, y.jobs) && x.lines == y.lines && x.message == y.message;
}

void run(std::span<const std::byte> bytes) {
  static const Folder folder;
  const char first = bytes.empty() ? '\0' : static_cast<char>(bytes.front());
  const std::filesystem::path path = folder / (first == '{' ? "jobs.jsonl" : "jobs.csv");
  folder.save(path.filename().string(), bytes);
  const Story whole = read(path, 1000);
  check(whole);
  const Story single = read(path, 1);
  require(same(whole, single), "how a file is cut into blocks changes nothing");
  if (whole.jobs.empty()) return;
  // Continued from a mark in the middle.
  Story part;
  try {
    JobReader reader(path);
    JobBlock block;
    reader.read(block, 1 + hash_of(bytes) % whole.jobs.size());
    add(block, part);
  } catch (const Error&) {
    require(false, "what was read can be read again");
  }
  require(same(read(path, 3, &part), whole), "a reader that goes on gives the rest");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(lamella::fuzz::bytes_of(data, size));
  return 0;
}
