#include <gmock/gmock.h>

#include "lamella/job_file.hpp"
#include "support/errors.hpp"
#include "sweep/folder.hpp"

namespace lamella {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Jobs : public test::Folder {
 protected:
  /// All jobs of a file, in blocks of `most`.
  [[nodiscard]] static JobBlock read_all(const std::filesystem::path& path, std::size_t most = 1000) {
    JobReader reader(path);
    JobBlock all, block;
    for (reader.read(block, most); !block.jobs.empty(); reader.read(block, most)) {
      EXPECT_LE(block.jobs.size(), most);
      EXPECT_EQ(block.first, all.jobs.size());
      all.jobs.insert(all.jobs.end(), block.jobs.begin(), block.jobs.end());
      all.lines.insert(all.lines.end(), block.lines.begin(), block.lines.end());
      all.new_meshes.insert(all.new_meshes.end(), block.new_meshes.begin(), block.new_meshes.end());
      all.end = block.end;
    }
    return all;
  }
  [[nodiscard]] std::string message(const std::string& name, const std::string& text) const {
    const auto path = save(name, text);
    return error_of([&] { (void)read_all(path); }).what();
  }
};

void expect_pose(const Transform& got, const Transform& expected) {
  EXPECT_EQ(got.translation, expected.translation);
  EXPECT_EQ(got.rotation.x, expected.rotation.x);
  EXPECT_EQ(got.rotation.y, expected.rotation.y);
  EXPECT_EQ(got.rotation.z, expected.rotation.z);
  EXPECT_EQ(got.rotation.w, expected.rotation.w);
}

TEST_F(Jobs, OneLineOfCsv) {
  const JobBlock jobs = read_all(save("j.csv", "mesh_a,mesh_b\nx.ply,model:hand\n"));
  ASSERT_EQ(jobs.jobs.size(), 1u);
  EXPECT_EQ(jobs.jobs[0].a, 0u);
  EXPECT_EQ(jobs.jobs[0].b, 1u);
  EXPECT_EQ(jobs.jobs[0].resolution, 0u);
  expect_pose(jobs.jobs[0].pose_a, {});
  EXPECT_THAT(jobs.new_meshes, ElementsAre("x.ply", "model:hand"));
  EXPECT_THAT(jobs.lines, ElementsAre(2u));
}

TEST_F(Jobs, CsvColumnsInAnyOrderQuotesBlanksAndLineEndsOfWindows) {
  const JobBlock jobs = read_all(save("j.csv",
                                      "\xEF\xBB\xBFnote,bz,by,bx, resolution ,mesh_b,mesh_a\r\n"
                                      "\"hi, \"\"there\"\"\", 3 ,+2,1e0,64,\"a, b.ply\",c.ply\r\n"
                                      "\r\n"
                                      ",-3,-2,-1,,c.ply,\"a, b.ply\""));
  ASSERT_EQ(jobs.jobs.size(), 2u);
  EXPECT_THAT(jobs.new_meshes, ElementsAre("a, b.ply", "c.ply"));
  EXPECT_EQ(jobs.jobs[0].pose_b.translation, (Vec3d{1, 2, 3}));
  EXPECT_EQ(jobs.jobs[1].pose_b.translation, (Vec3d{-1, -2, -3}));
  EXPECT_EQ(jobs.jobs[0].resolution, 64u);
  EXPECT_EQ(jobs.jobs[1].resolution, 0u);
  EXPECT_EQ(jobs.jobs[1].a, 0u);
  EXPECT_THAT(jobs.lines, ElementsAre(2u, 4u));
}

TEST_F(Jobs, CsvFieldsInQuotesKeepTheirBlanksAndMayBeNumbers) {
  const JobBlock jobs = read_all(save("j.csv",
                                      "\"mesh_a\",mesh_b,\"ax\",ay,az,resolution\n"
                                      "\" a \", b ,\"1.5\",\"+2\",\" -3e0 \",\"64\"\n"
                                      " a ,\" b\",\"1.5\",2,\"3\",\"\"\n"));
  ASSERT_EQ(jobs.jobs.size(), 2u);
  EXPECT_THAT(jobs.new_meshes, ElementsAre(" a ", "b", "a", " b"));
  EXPECT_EQ(jobs.jobs[0].pose_a.translation, (Vec3d{1.5, 2, -3}));
  EXPECT_EQ(jobs.jobs[1].pose_a.translation, (Vec3d{1.5, 2, 3}));
  EXPECT_EQ(jobs.jobs[0].resolution, 64u);
  EXPECT_EQ(jobs.jobs[1].resolution, 0u);
  const std::string moved = "mesh_a,mesh_b,ax,ay,az\na,b,";
  EXPECT_THAT(message("j.csv", moved + "1,\"2x\",3\n"), HasSubstr("column ay: expected a number, found \"2x\""));
  EXPECT_THAT(message("j.csv", moved + "1,\"\",3\n"), HasSubstr("column ay: expected a number, found \"\""));
  EXPECT_THAT(message("j.csv", moved + "1,\"2,3\n"), HasSubstr("a quote is not closed"));
  EXPECT_THAT(message("j.csv", moved + "1,\"2\" x,3\n"), HasSubstr("expected a comma behind a quoted field"));
}

TEST_F(Jobs, CsvBlanksAroundQuotesDoNotCount) {
  const JobBlock jobs = read_all(save("j.csv",
                                      " \"mesh_a\" ,\t\"mesh_b\", \"ax\" ,ay,az , \"resolution\"\n"
                                      " \" a\" , \"b,c\"\t, \"1.5\" ,\"2\" , 3 , \"64\" \n"));
  ASSERT_EQ(jobs.jobs.size(), 1u);
  EXPECT_THAT(jobs.new_meshes, ElementsAre(" a", "b,c"));
  EXPECT_EQ(jobs.jobs[0].pose_a.translation, (Vec3d{1.5, 2, 3}));
  EXPECT_EQ(jobs.jobs[0].resolution, 64u);
}

TEST_F(Jobs, NumbersTooSmallForADoubleAreZero) {
  const JobBlock csv = read_all(save("j.csv", "mesh_a,mesh_b,ax,ay,az\na,b,1e-400,\"-1e-400\",0.0e999\n"));
  const JobBlock json = read_all(save("j.jsonl", "{\"a\":\"a\",\"b\":\"b\",\"pose_a\":[1e-400,-1e-400,0]}\n"));
  for (const JobBlock* jobs : {&csv, &json}) EXPECT_EQ(jobs->jobs.at(0).pose_a.translation, Vec3d{});
}

TEST_F(Jobs, MoreMeshesThanAFileMayHave) {
  std::string text = "mesh_a,mesh_b\n";
  for (int i = 0; i <= 500'000; ++i) text += "a" + std::to_string(i) + ",b" + std::to_string(i) + '\n';
  EXPECT_THAT(message("j.csv", text),
              HasSubstr("j.csv:500002: column mesh_a: more than 1,000,000 different meshes; split the file"));
}

TEST_F(Jobs, NamesWithBlanksAtTheirEndsComeBackFromEveryFormat) {
  const std::vector<std::string> names{" a.ply", "b.ply "};
  for (const char* name : {"j.csv", "j.jsonl", "j.jobs"}) {
    JobWriter writer(at(name), names);
    writer.add({.a = 0, .b = 1, .resolution = 0, .pose_a = {}, .pose_b = {}});
    writer.commit();
    EXPECT_EQ(read_all(at(name)).new_meshes, names) << name;
  }
}

TEST_F(Jobs, JsonLinesWithEscapesAndWhatIsIgnored) {
  const JobBlock jobs =
      read_all(save("j.jsonl",
                    "{\"b\":\"\\u00e4\\ud83d\\ude00\\\"\\/.ply\", \"a\" : \"x\", \"note\":{\"k\":[1,{}]},"
                    "\"pose_b\":[1,2,-3.5e-1] ,\"resolution\":32}\n\n"
                    "{\"id\":7,\"a\":\"x\",\"b\":\"x\",\"pose_a\":[0,0,0,0,0,1,0]}\n"));
  ASSERT_EQ(jobs.jobs.size(), 2u);
  EXPECT_THAT(jobs.new_meshes, ElementsAre("\u00e4\U0001F600\"/.ply", "x"));
  EXPECT_EQ(jobs.jobs[0].pose_b.translation, (Vec3d{1, 2, -0.35}));
  EXPECT_EQ(jobs.jobs[0].resolution, 32u);
  EXPECT_EQ(jobs.jobs[1].pose_a.rotation.z, 1);
  EXPECT_EQ(jobs.jobs[1].pose_a.rotation.w, 0);
  EXPECT_THAT(jobs.lines, ElementsAre(1u, 3u));
}

TEST_F(Jobs, EveryFormatGivesBackWhatWasWrittenToTheBit) {
  std::vector<PairJob> jobs = random_jobs(500);
  for (std::size_t i = 0; i < jobs.size(); i += 3) jobs[i].resolution = 16;
  for (const char* name : {"j.csv", "j.jsonl", "j.jobs"}) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
      const JobBlock got = read_all(write_jobs(name, jobs, true), most);
      ASSERT_EQ(got.jobs.size(), jobs.size()) << name;
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        EXPECT_EQ(got.new_meshes[got.jobs[i].a], names_[jobs[i].a]);
        EXPECT_EQ(got.new_meshes[got.jobs[i].b], names_[jobs[i].b]);
        EXPECT_EQ(got.jobs[i].resolution, jobs[i].resolution);
        expect_pose(got.jobs[i].pose_a, jobs[i].pose_a);
        expect_pose(got.jobs[i].pose_b, jobs[i].pose_b);
      }
    }
  }
}

TEST_F(Jobs, AreReadBeyondTheBuffer) {
  std::string text = "mesh_a,mesh_b,bx,by,bz,note\n";
  const std::string note(1000, 'n');
  for (int i = 0; i < 5000; ++i) text += "a.ply,b.ply," + std::to_string(i) + ",0,0," + note + "\n";  // 5 MB
  const JobBlock got = read_all(save("j.csv", text));
  ASSERT_EQ(got.jobs.size(), 5000u);
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(got.jobs[i].pose_b.translation.x, static_cast<double>(i));
  EXPECT_EQ(got.end.bytes, text.size());
  EXPECT_EQ(got.end.lines, 5001u);
}

TEST_F(Jobs, GoingToAMarkGivesTheRest) {
  for (const char* name : {"j.csv", "j.jsonl", "j.jobs"}) {
    const auto path = write_jobs(name, random_jobs(100));
    JobBlock first, rest, again;
    JobReader reader(path);
    reader.read(first, 37);
    reader.read(rest, 1000);
    JobReader other(path);
    other.go_to(first.end, first.new_meshes);
    other.read(again, 1000);
    EXPECT_EQ(again.first, 37u) << name;
    ASSERT_EQ(again.jobs.size(), 63u) << name;
    EXPECT_EQ(again.lines, rest.lines) << name;
    EXPECT_EQ(again.end, rest.end) << name;
    EXPECT_TRUE(again.new_meshes.empty());
    for (std::size_t i = 0; i < again.jobs.size(); ++i) expect_pose(again.jobs[i].pose_b, rest.jobs[i].pose_b);
  }
}

TEST_F(Jobs, AMarkIsRefusedWhenWhatIsBeforeItChanged) {
  const auto path = save("j.csv", "mesh_a,mesh_b\na,b\nc,d\ne,f");
  JobReader reader(path);
  JobBlock two, all;
  reader.read(two, 2);
  reader.read(all, 2);
  save("j.csv", "mesh_a,mesh_b\na,b\nc,X\ne,f\n");
  EXPECT_THAT(error_of([&] { JobReader(path).go_to(two.end, {}); }).what(), HasSubstr("first 2 jobs are not what"));
  save("j.csv", "mesh_a,mesh_b\na,b");
  EXPECT_THAT(error_of([&] { JobReader(path).go_to(two.end, {}); }).what(), HasSubstr("not what they were"));
  // Only appended to: fine, unless the last line went on.
  save("j.csv", "mesh_a,mesh_b\na,b\nc,d\ne,f\ng,h\n");
  JobReader appended(path);
  appended.go_to(all.end, {});
  JobBlock more;
  appended.read(more, 10);
  ASSERT_EQ(more.jobs.size(), 1u);
  EXPECT_THAT(more.lines, ElementsAre(5u));
  save("j.csv", "mesh_a,mesh_b\na,b\nc,d\ne,fgh\n");
  EXPECT_THAT(error_of([&] { JobReader(path).go_to(all.end, {}); }).what(), HasSubstr("not what they were"));
}

TEST_F(Jobs, ABadJobEndsItsBlockAndTheNextCallThrows) {
  const auto path = save("j.csv", "mesh_a,mesh_b,ax,ay,az\na,b,1,2,3\na,b,4,5,6\na,b,4,x,6\na,b,7,8,9\n");
  JobReader reader(path);
  JobBlock block;
  reader.read(block, 10);
  EXPECT_EQ(block.jobs.size(), 2u);
  const JobMark before = block.end;
  EXPECT_EQ(before.jobs, 2u);
  EXPECT_EQ(before.lines, 3u);
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(error_of([&] { reader.read(block, 10); }).what(),
                HasSubstr("j.csv:4: column ay: expected a number, found \"x\""));
  // Once it is mended, a reader goes on from there.
  save("j.csv", "mesh_a,mesh_b,ax,ay,az\na,b,1,2,3\na,b,4,5,6\na,b,4,0,6\na,b,7,8,9\n");
  JobReader again(path);
  again.go_to(before, {});
  again.read(block, 10);
  EXPECT_EQ(block.jobs.size(), 2u);
}

TEST_F(Jobs, MessagesOfCsvNameTheLineAndTheColumn) {
  EXPECT_THAT(message("j.csv", ""), HasSubstr("j.csv: the file is empty; its first line names the columns"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_c\n"),
              HasSubstr("j.csv:1: there is no column \"mesh_c\"; known are mesh_a"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_a\n"), HasSubstr("column mesh_a is there twice"));
  EXPECT_THAT(message("j.csv", "mesh_a\n"), HasSubstr("the header has no columns mesh_a and mesh_b"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b,ax\n"), HasSubstr("ax, ay and az belong together"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b,bqw\n"), HasSubstr("bqx, bqy, bqz and bqw belong together"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na\n"),
              HasSubstr("j.csv:2: expected 2 fields as in the header, found 1"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na,b,c\n"), HasSubstr("has more fields than the 2 of the header"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na,\n"), HasSubstr("column mesh_b: the mesh has no name"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\n\"a,b\n"), HasSubstr("a quote is not closed"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na,b\x01\n"), HasSubstr("control character"));
  const std::string moved = "mesh_a,mesh_b,ax,ay,az\na,b,";
  EXPECT_THAT(message("j.csv", moved + "1,2\n"), HasSubstr("j.csv:2: expected 5 fields as in the header, found 4"));
  EXPECT_THAT(message("j.csv", moved + "1,,3\n"), HasSubstr("column ay: expected a number, found \"\""));
  EXPECT_THAT(message("j.csv", moved + "1,2 3,3\n"), HasSubstr("column ay: expected a number, found \"2 3\""));
  EXPECT_THAT(message("j.csv", moved + "1,1e999,3\n"), HasSubstr("beyond the range"));
  EXPECT_THAT(message("j.csv", moved + "1,+-1,3\n"), HasSubstr("column ay: expected a number, found \"+-1\""));
  EXPECT_THAT(message("j.csv", moved + "1,nan,3\n"), HasSubstr("j.csv:2: pose of mesh_a: the pose is not finite"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b,bqx,bqy,bqz,bqw\na,b,0,0,0,2\n"),
              HasSubstr("not of length 1: normalise it"));
  for (const char* wrong : {"0", "-1", "1.5", "x", "99999999999"})
    EXPECT_THAT(message("j.csv", std::string("mesh_a,mesh_b,resolution\na,b,") + wrong + "\n"),
                HasSubstr("column resolution: expected a whole number from 1 to"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na," + std::string(70'000, 'x') + "\n"),
              HasSubstr("j.csv:2: the line is longer"));
  EXPECT_THAT(message("j.csv", "mesh_a,mesh_b\na," + std::string(5'000, 'x') + "\n"), HasSubstr("name is longer"));
}

TEST_F(Jobs, MessagesOfJsonNameTheLineAndTheByte) {
  EXPECT_THAT(message("j.jsonl", "[]\n"), HasSubstr("j.jsonl:1:1: expected a JSON object: {, found \"[]\""));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"x\"}\n"), HasSubstr("a job needs \"a\" and \"b\""));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"x\",\"a\":\"x\"}\n"), HasSubstr("j.jsonl:1:10: \"a\" is there twice"));
  EXPECT_THAT(message("j.jsonl", "{\"mesh\":1}\n"), HasSubstr("there is no member \"mesh\""));
  EXPECT_THAT(message("j.jsonl", "{\"a\":5}\n"), HasSubstr("expected a mesh's name in quotes, found \"5}\""));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"x\",\"b\":\"y\"} z\n"), HasSubstr("one job a line"));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"x\n"), HasSubstr("the quote at the string's end"));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"\\x\"}\n"), HasSubstr("behind \\"));
  EXPECT_THAT(message("j.jsonl", "{\"a\":\"\\ud800x\"}\n"), HasSubstr("hexadecimal"));
  const std::string both = "{\"a\":\"x\",\"b\":\"y\",";
  for (const char* pose : {"[]", "[1,2]", "[1,2,3,4]", "[1,2,3,4,5,6,7,8]", "[1,2,3", "7"})
    EXPECT_THAT(message("j.jsonl", both + "\"pose_a\":" + pose + "}\n"), HasSubstr("j.jsonl:1:")) << pose;
  EXPECT_THAT(message("j.jsonl", both + "\"pose_a\":[1,2,3,0,0,0,0]}\n"), HasSubstr("normalise it"));
  EXPECT_THAT(message("j.jsonl", both + "\"resolution\":1.5}\n"), HasSubstr("a whole number from 1"));
  EXPECT_THAT(message("j.jsonl", both + "\"note\":" + std::string(100, '[') + "}\n"),
              HasSubstr("brackets inside each other"));
}

TEST_F(Jobs, MessagesOfBinaryFiles) {
  (void)write_jobs("j.jobs", random_jobs(3));
  const std::string good = content("j.jobs");
  EXPECT_THAT(message("j.jobs", good.substr(0, 20)), HasSubstr("ends within its header"));
  EXPECT_THAT(message("j.jobs", good.substr(0, good.size() - 1)),
              HasSubstr("the header says 3 jobs of 128 bytes, and 383"));
  EXPECT_THAT(message("j.jobs", good + "x"), HasSubstr("the header says 3 jobs"));
  EXPECT_THAT(message("j.jobs", "mesh_a"), HasSubstr("does not begin with LAMJOBS"));
  std::string bad = good;
  bad[8] = 2;
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("is of version 2"));
  bad = good;
  bad[good.size() - 128] = 9;
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("job 2 (from 0): there is no mesh 9; the file names 2"));
  bad = good;
  bad[good.size() - 1] = '\x7f', bad[good.size() - 2] = '\xf0';  // qw of b is infinite
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("job 2 (from 0): pose of mesh b: the pose is not finite"));
  bad = good;
  bad[16 + 3] = 0x7f;  // meshes
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("meshes; 1000000 is the most"));
  bad = good;
  bad[40 + 3] = 0x7f;  // length of the first name
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("the name of mesh 0 ends beyond"));
  bad = good;
  bad[20] = 1;
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("bytes 20 to 23 of the header are reserved"));
  bad = good;
  bad[good.size() - 3 * 128 - 1] = 1;
  EXPECT_THAT(message("j.jobs", bad), HasSubstr("the bytes between the names and the records must be 0"));
  EXPECT_THAT(message("j.txt", "mesh_a,mesh_b\n"), HasSubstr("unknown extension; name jobs .csv"));
}

TEST_F(Jobs, EveryByteOfABinaryFileMayBeAnything) {
  (void)write_jobs("j.jobs", random_jobs(2));
  const std::string good = content("j.jobs");
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const char c : {'\0', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[i] = c;
      try {
        EXPECT_LE(read_all(save("j.jobs", bad)).jobs.size(), 2u);
      } catch (const Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("j.jobs"));
      }
    }
}

TEST_F(Jobs, MeshesMustBeInTheFolderUnlessAnyPathIsAllowed) {
  EXPECT_EQ(job_mesh_path(at("j.csv"), "box.ply", JobFiles::in_its_folder), at("box.ply"));
  for (const char* name : {"../x.ply", "/etc/passwd", "a/../../x.ply"}) {
    EXPECT_THAT(error_of([&] { (void)job_mesh_path(at("j.csv"), name, JobFiles::in_its_folder); }).what(),
                HasSubstr("must be in the folder of the jobs"));
    EXPECT_EQ(job_mesh_path(at("j.csv"), name, JobFiles::anywhere), at("j.csv").parent_path() / name);
  }
}

TEST_F(Jobs, TheWriterRefusesWhatReadersWould) {
  JobWriter writer(at("j.csv"), names_);
  PairJob job;
  job.b = 2;
  EXPECT_THAT(error_of([&] { writer.add(job); }).what(), HasSubstr("job 0: there is no mesh 2 among 2"));
  job.b = 1;
  job.pose_a.rotation.w = 2;
  EXPECT_THAT(error_of([&] { writer.add(job); }).what(), HasSubstr("normalise"));
  EXPECT_THAT(error_of([&] { JobWriter(at("j.txt"), names_); }).what(), HasSubstr(".jobs (binary)"));
  EXPECT_THAT(error_of([&] { JobWriter(at("k.csv"), {"a", "a"}); }).what(), HasSubstr("named twice"));
  EXPECT_FALSE(std::filesystem::exists(at("j.csv")));  // nothing was committed
}

}  // namespace
}  // namespace lamella
