#include <sys/resource.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/streamed.hpp"
#include "scenes/models.hpp"
#include "stream/support.hpp"

namespace lamella {
namespace {

using test::TemporaryFile;
using testing::AllOf;
using testing::HasSubstr;

Mesh read_whole(const MeshSource& source) {
  Mesh mesh;
  mesh.positions.resize(source.vertex_count());
  mesh.triangles.resize(source.triangle_count());
  source.read_positions(0, mesh.positions);
  source.read_triangles(0, mesh.triangles);
  mesh.origin = source.origin();
  return mesh;
}

void expect_same(const Mesh& found, const Mesh& expected) {
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_EQ(found.origin, expected.origin);
  ASSERT_EQ(found.positions.size(), expected.positions.size());
  EXPECT_EQ(std::memcmp(found.positions.data(), expected.positions.data(), expected.positions.size() * sizeof(Vec3)),
            0);
}

std::string failure_of(const std::filesystem::path& path) {
  try {
    const auto source = open_streamed_ply(path);
    (void)read_whole(*source);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

TEST(PlySource, HasWhatReadMeshReads) {
  const TemporaryFile file("same.ply");
  write_mesh(file.path(), scenes::torus_knot(40'000));
  EXPECT_TRUE(is_streamable_ply(file.path()));
  expect_same(read_whole(*open_streamed_ply(file.path())), read_mesh(file.path()));
}

TEST(PlySource, OfDoublesFarAwayHasTheOriginOfReadMesh) {
  const TemporaryFile file("far.ply");
  Transform pose;
  pose.translation = {4e6, -2e6, 1e7};
  write_mesh(file.path(), transformed(scenes::torus_knot(1000), pose));
  const auto source = open_streamed_ply(file.path());
  EXPECT_NE(source->origin(), Vec3d{});
  expect_same(read_whole(*source), read_mesh(file.path()));
}

TEST(PlySource, SkipsOtherPropertiesAndElements) {
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement camera 2\nproperty short id\nelement vertex 4\nproperty uchar "
      "red\nproperty float z\nproperty float x\nproperty double quality\nproperty float y\nelement face 4\nproperty "
      "int "
      "group\nproperty list uchar uint vertex_index\nproperty float weight\nelement edge 1\nproperty list uchar int "
      "ends\nend_header\n";
  text += bytes_of(std::int16_t{1}) + bytes_of(std::int16_t{2});
  const Mesh solid = test::tetrahedron({}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  for (const Vec3 p : solid.positions) text += "r" + bytes_of(p.z) + bytes_of(p.x) + bytes_of(7.0) + bytes_of(p.y);
  for (const Triangle& t : solid.triangles) text += bytes_of(5) + "\3" + bytes_of(t) + bytes_of(1.5f);
  const TemporaryFile file("more.ply");
  file.write(text);
  expect_same(read_whole(*open_streamed_ply(file.path())), solid);
}

TEST(PlySource, RefusesWhatCannotBeReadInPartsAndSaysWhatToDo) {
  const TemporaryFile file("refused.ply");
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
      "y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string vertices(36, '\0'), corner = bytes_of(0) + bytes_of(1) + bytes_of(2);
  file.write(head + vertices + "\3" + corner);
  EXPECT_EQ(failure_of(file.path()), "");
  file.write(head + vertices + "\4" + corner + bytes_of(0));
  EXPECT_THAT(failure_of(file.path()), AllOf(HasSubstr("face 0 has 4 corners"), HasSubstr("lamella repair")));
  file.write("ply\nformat ascii 1.0\n" + head.substr(head.find("element")) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  EXPECT_THAT(failure_of(file.path()), HasSubstr("text"));
  EXPECT_FALSE(is_streamable_ply(file.path()));
  std::string big = head;
  big.replace(big.find("little"), 6, "big");
  file.write(big + vertices + "\3" + corner);
  EXPECT_THAT(failure_of(file.path()), HasSubstr("big-endian"));
  EXPECT_FALSE(is_streamable_ply(file.path()));
  EXPECT_FALSE(are_streamable_points(file.path()));
}

TEST(PlySource, ADamagedFileIsAnErrorAndNotAFileOfAnotherKind) {
  const TemporaryFile file("damaged.ply");
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
      "y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string vertices(36, '\0');
  const auto message = [](auto call, const std::filesystem::path& path) {
    try {
      (void)call(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  file.write(head + vertices + "\3" + bytes_of(0));
  EXPECT_THAT(message(is_streamable_ply, file.path()), HasSubstr("the file is cut off"));
  EXPECT_TRUE(are_streamable_points(file.path()));  // its vertices are all there
  file.write(head + vertices.substr(1));
  EXPECT_THAT(message(is_streamable_ply, file.path()), HasSubstr("the file is cut off"));
  EXPECT_THAT(message(are_streamable_points, file.path()), HasSubstr("the file is cut off"));
  file.write("solid");
  EXPECT_THAT(message(is_streamable_ply, file.path()), HasSubstr("ply"));
  EXPECT_THAT(message(is_streamable_ply, file.path() / "missing"), HasSubstr("missing"));
  EXPECT_THAT(message(are_streamable_points, file.path() / "missing.ply"), HasSubstr("missing"));
}

/// A header with so many doubles behind the coordinates of each vertex.
std::string wide_header(std::size_t vertices, std::size_t more) {
  std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(vertices) +
                     "\nproperty float x\nproperty float y\nproperty float z\n";
  for (std::size_t i = 0; i < more; ++i) text += "property double p" + std::to_string(i) + "\n";
  return text + "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
}

long peak_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(PlySource, WideRowsAreReadAFewAtATime) {
  constexpr std::size_t kVertices = 16384, kMore = 2000;  // 262 MB of zeros, which take no room on the disk
  const TemporaryFile file("wide_rows.ply");
  const std::string header = wide_header(kVertices, kMore);
  file.write(header);
  const std::size_t rows = kVertices * (12 + 8 * kMore);
  std::filesystem::resize_file(file.path(), header.size() + rows + 13);
  {
    std::ofstream out(file.path(), std::ios::binary | std::ios::in);
    out.seekp(static_cast<std::streamoff>(header.size() + rows));
    out << "\3" << bytes_of(0) << bytes_of(1) << bytes_of(2);
  }
  const long before = peak_kb();
  EXPECT_EQ(read_whole(*open_streamed_ply(file.path())).positions.size(), kVertices);
  std::vector<Vec3d> points(kVertices + 1);
  EXPECT_EQ(open_streamed_points(file.path()).read(points), kVertices);
  EXPECT_LT(peak_kb() - before, 32 * 1024);
}

TEST(PlySource, RowsThatAreTooWideAreRefused) {
  const TemporaryFile file("too_wide.ply");
  const std::size_t more = 8192;
  file.write(wide_header(3, more) + std::string(3 * (12 + 8 * more), '\0') + "\3" + bytes_of(0) + bytes_of(1) +
             bytes_of(2));
  EXPECT_THAT(failure_of(file.path()), HasSubstr("element vertex has rows of 65548 bytes, more than 65536"));
  EXPECT_FALSE(is_streamable_ply(file.path()));
  EXPECT_THROW((void)open_streamed_points(file.path()), Error);
}

TEST(PlySource, EveryFileThatIsCutOffIsAnError) {
  const TemporaryFile file("cut.ply");
  write_mesh(file.path(), test::round_sphere(4, 5));
  const std::string whole = file.content();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    file.write(whole.substr(0, size));
    ASSERT_NE(failure_of(file.path()), "") << size;
  }
}

TEST(PlySource, CountsThatDoNotFitTheFileAreAnError) {
  const TemporaryFile file("counts.ply");
  for (const char* count : {"4294967295", "1000000000000", "9223372036854775807"}) {
    file.write(std::string("ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
                           "y\nproperty float z\nelement face ") +
               count + "\nproperty list uchar int vertex_indices\nend_header\n" + std::string(1000, '\0'));
    EXPECT_THAT(failure_of(file.path()), HasSubstr("cut off")) << count;
  }
}

TEST(PlySource, AFileThatBecomesShorterOrIsWrittenToMeanwhileIsAnError) {
  const TemporaryFile file("changing.ply");
  write_mesh(file.path(), scenes::torus_knot(3000));
  const std::string whole = file.content();
  const auto source = open_streamed_ply(file.path());
  EXPECT_NO_THROW((void)self_intersect({*source}, {}, {}));
  std::filesystem::resize_file(file.path(), whole.size() / 2);
  EXPECT_THROW((void)self_intersect({*source}, {}, {}), Error);
  file.write(whole);  // the same bytes again, but who knows what was read
  std::filesystem::last_write_time(file.path(), std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THROW((void)self_intersect({*source}, {}, {}), Error);
}

TEST(PlySource, ABrokenVertexAndABadIndexInAFileAreToldOf) {
  const TemporaryFile file("broken.ply");
  write_mesh(file.path(), test::round_sphere(20, 20));
  std::string bytes = file.content();
  const std::size_t data = bytes.find("end_header\n") + 11;
  const std::string nan = bytes_of(std::numeric_limits<float>::quiet_NaN());
  bytes.replace(data + 12 * 50, 4, nan);
  file.write(bytes);
  const auto source = open_streamed_ply(file.path());
  StreamReport report;
  const SelfOverlap found = self_intersect({*source}, {}, {}, &report);
  Options as_is;
  as_is.close_holes = false;
  EXPECT_EQ(found.health.skipped_triangles, self_intersect(read_mesh(file.path()), as_is).health.skipped_triangles);
  EXPECT_GT(found.health.skipped_triangles, 0u);
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_FALSE(report.closed[0]);
  bytes.replace(bytes.size() - 4, 4, bytes_of(-7));
  file.write(bytes);
  std::string message;
  try {
    (void)self_intersect({*open_streamed_ply(file.path())}, {}, {});
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_THAT(message, AllOf(HasSubstr(file.path().filename().string() + ": triangle "), HasSubstr("names vertex")));
}

std::vector<Vec3d> all_points(const StreamedPoints& points, std::size_t at_a_time) {
  std::vector<Vec3d> found, some(at_a_time);
  while (const std::size_t count = points.read(some))
    found.insert(found.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  return found;
}

TEST(StreamedPoints, OfFilesAreThoseOfReadPoints) {
  const TemporaryFile ply("points.ply"), wide("wide.ply"), xyz("points.xyz");
  const Mesh knot = scenes::torus_knot(3000);
  write_mesh(ply.path(), knot);
  Transform far;
  far.translation = {1e7, 0, -3e6};
  write_mesh(wide.path(), transformed(knot, far));
  std::string text = "# made of lines\n\n";  // longer than what is read at a time
  for (int i = 0; i < 40; ++i)
    for (const Vec3 p : knot.positions)
      text +=
          std::to_string(p.x) + (i % 2 == 0 ? " " : ", ") + std::to_string(p.y + i) + "\t" + std::to_string(p.z) + "\n";
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  xyz.write(text + "1 2 3.25");
  for (const TemporaryFile* file : {&ply, &wide, &xyz})
    for (const std::size_t at_a_time : {1, 1000, 1'000'000})
      EXPECT_EQ(all_points(open_streamed_points(file->path()), at_a_time), read_wide_points(file->path()));
  xyz.write("1 2 3\n4 nan 6\n");
  EXPECT_THROW((void)all_points(open_streamed_points(xyz.path()), 10), Error);
  EXPECT_THROW((void)open_streamed_points("points.obj"), Error);
}

TEST(StreamedPoints, OfAFileThatIsWrittenToMeanwhileAreAnError) {
  const TemporaryFile ply("changing_points.ply"), xyz("changing_points.xyz");
  write_mesh(ply.path(), scenes::torus_knot(3000));
  xyz.write("1 2 3\n4 5 6\n");
  for (const TemporaryFile* file : {&ply, &xyz}) {
    const StreamedPoints points = open_streamed_points(file->path());
    std::vector<Vec3d> one(1);
    EXPECT_EQ(points.read(one), 1u);
    std::filesystem::last_write_time(file->path(),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_THROW((void)all_points(points, 1000), Error);
  }
}

}  // namespace
}  // namespace lamella
