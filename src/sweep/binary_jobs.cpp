// Jobs as binary records, little-endian: the quickest to read, and what programs write.

#include <fmt/format.h>

#include <cstring>

#include "core/check_pose.hpp"
#include "io/checks.hpp"
#include "io/messages.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"
#include "sweep/job_parsers.hpp"

namespace lamella::sweep_parts {
namespace {

template <class T>
T load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class BinaryParser final : public JobParser {
 public:
  BinaryParser(JobSource& source, MeshNames& names) : source_(source), names_(names) {
    source_.leave_out(kJobCountAt, kJobCountAt + sizeof jobs_);  // jobs may be appended
    read_header(true);
  }

  bool next(PairJob& job) override {
    if (next_ == jobs_) return false;
    const std::string_view record = source_.peek(kJobRecordBytes);
    if (record.size() < kJobRecordBytes) fail("became shorter while it was read; run the sweep again");
    job.a = load<std::uint32_t>(record, 0);
    job.b = load<std::uint32_t>(record, 4);
    job.resolution = load<std::uint32_t>(record, 8);
    double numbers[2 * kPoseNumbers];
    std::memcpy(numbers, record.data() + 16, sizeof numbers);
    for (std::size_t i = 0; i < kPoseNumbers; ++i) {
      pose_number(job.pose_a, i) = numbers[i];
      pose_number(job.pose_b, i) = numbers[kPoseNumbers + i];
    }
    check(job, load<std::uint32_t>(record, 12));
    source_.take(kJobRecordBytes);
    ++next_;
    return true;
  }
  void skip_header() override {
    next_ = 0;
    read_header(false);
  }
  [[nodiscard]] std::optional<std::uint64_t> count() const override { return jobs_; }
  void went_to(const JobMark& mark) override { next_ = mark.jobs; }

 private:
  [[noreturn]] void fail(std::string_view message) const { io::fail(source_.name(), message); }

  void check(const PairJob& job, std::uint32_t reserved) const {
    const auto refuse = [&](std::string_view message) {
      io::fail(source_.name(), fmt::format("job {} (from 0): {}", next_, message));
    };
    if (job.a >= meshes_ || job.b >= meshes_)
      refuse(fmt::format("there is no mesh {}; the file names {}", job.a >= meshes_ ? job.a : job.b, meshes_));
    if (job.resolution > kMaxResolution)
      refuse(fmt::format("the resolution is {}; it may be at most {}", job.resolution, kMaxResolution));
    if (reserved != 0) refuse("bytes 12 to 15 of the record are reserved; write 0 there");
    for (const Transform* pose : {&job.pose_a, &job.pose_b}) try {
        check_pose(*pose, kPoseTolerance);
      } catch (const Error& e) {
        refuse(fmt::format("pose of mesh {}: {}", pose == &job.pose_a ? 'a' : 'b', e.what()));
      }
  }

  void read_header(bool first) {
    const std::string_view header = source_.peek(kJobHeaderBytes);
    if (header.size() < kJobHeaderBytes) fail("the file ends within its header; write it again");
    const auto version = load<std::uint32_t>(header, 8), record = load<std::uint32_t>(header, 12);
    meshes_ = load<std::uint32_t>(header, 16);
    const auto reserved = load<std::uint32_t>(header, 20);
    jobs_ = load<std::uint64_t>(header, kJobCountAt);
    const auto records_at = load<std::uint64_t>(header, 32);
    if (version != kJobVersion || record != kJobRecordBytes)
      fail(fmt::format("is of version {} with records of {} bytes; this program reads version {} with {}", version,
                       record, kJobVersion, kJobRecordBytes));
    if (reserved != 0) fail("bytes 20 to 23 of the header are reserved; write 0 there");
    if (meshes_ > kMaxJobMeshes) fail(fmt::format("names {} meshes; {} is the most", meshes_, kMaxJobMeshes));
    source_.take(kJobHeaderBytes);
    const std::uint64_t names_end = read_names(first);
    if (records_at < names_end || records_at - names_end >= 8 || records_at % 8 != 0)
      fail(
          fmt::format("the names end at byte {}, and the records begin at byte {}; write them from the next multiple "
                      "of 8 on",
                      names_end, records_at));
    skip_padding(records_at - names_end);
    const std::uint64_t left = source_.size() - std::min(source_.size(), records_at);
    if (!io::fits(jobs_, kJobRecordBytes, left) || jobs_ * kJobRecordBytes != left)
      fail(fmt::format("the header says {} jobs of {} bytes, and {} bytes follow; write the file again", jobs_,
                       kJobRecordBytes, left));
  }

  void skip_padding(std::uint64_t size) {
    const std::string_view bytes = source_.peek(size).substr(0, size);
    if (bytes.find_first_not_of('\0') != bytes.npos) fail("the bytes between the names and the records must be 0");
    source_.take(bytes.size());
  }

  /// Where they end.
  std::uint64_t read_names(bool first) {
    std::uint64_t at = kJobHeaderBytes;
    for (std::uint32_t i = 0; i < meshes_; ++i) {
      const std::string_view bytes = source_.peek(4 + kMaxMeshName);
      const std::size_t length = bytes.size() < 4 ? kMaxMeshName + 1 : load<std::uint32_t>(bytes, 0);
      if (length > kMaxMeshName || 4 + length > bytes.size())
        fail(fmt::format("the name of mesh {} ends beyond the file or {} bytes; write it again", i, kMaxMeshName));
      if (first) add_name(bytes.substr(4, length), i);
      source_.take(4 + length);
      at += 4 + length;
    }
    return at;
  }

  void add_name(std::string_view name, std::uint32_t expected) {
    try {
      if (names_.number(name) == expected) return;
    } catch (const Error& e) {
      fail(fmt::format("mesh {}: {}", expected, e.what()));
    }
    fail(fmt::format("the mesh {} is named twice; name it once", io::excerpt(name)));
  }

  JobSource& source_;
  MeshNames& names_;
  std::uint32_t meshes_ = 0;
  std::uint64_t jobs_ = 0, next_ = 0;
};

}  // namespace

std::unique_ptr<JobParser> make_binary_parser(JobSource& source, MeshNames& names) {
  return std::make_unique<BinaryParser>(source, names);
}

}  // namespace lamella::sweep_parts
