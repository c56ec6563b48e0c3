#include "lamella/file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <chrono>
#include <iterator>
#include <string>
#include <thread>

#include "io/support.hpp"

namespace {

/// Called in place of the system's fsync(): what it returns is the result, as errno or 0.
int (*on_fsync)(int file) = nullptr;

}  // namespace

extern "C" int fsync(int file) {
  errno = on_fsync != nullptr ? on_fsync(file) : 0;
  return errno == 0 ? 0 : -1;
}

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class WriteFile : public FileTest {
 protected:
  [[nodiscard]] std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path("")), {}));
  }
  static std::string write_error(const std::filesystem::path& file) {
    return error_of([&] { write_file(file, "text"); });
  }
};

TEST_F(WriteFile, TextAndBytesAreWrittenAsTheyAre) {
  write_file(path("a"), "one\ntwo");
  EXPECT_EQ(contents_of(path("a")), "one\ntwo");
  write_file(path("a"), memory_of(std::string_view("\0\xff\r\n", 4)));
  EXPECT_EQ(contents_of(path("a")), std::string("\0\xff\r\n", 4));
  write_file(path("a"), "");
  EXPECT_EQ(contents_of(path("a")), "");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, PiecesAroundTheBufferSizeStayInOrder) {
  NewFile file(path("a"));
  std::string expected;
  for (const std::size_t size : {3, (1 << 20) - 1, 5, 1 << 20, 0, (3 << 20) + 1, 2}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 23));
    file.write(piece);
    expected += piece;
    ASSERT_EQ(file.size(), expected.size());
  }
  file.commit();
  EXPECT_TRUE(contents_of(path("a")) == expected);
}

TEST_F(WriteFile, WhatWasWrittenCanBeOverwritten) {
  NewFile file(path("a"));
  file.write("count: ??, ");
  file.overwrite(7, std::as_bytes(std::span("42", 2)));
  file.write("end");
  file.commit();
  EXPECT_EQ(contents_of(path("a")), "count: 42, end");
}

TEST_F(WriteFile, TheStandardOutputCannotBeOverwritten) {
  if (!std::filesystem::exists("/dev/stdout")) GTEST_SKIP() << "no /dev/stdout";
  NewFile file("/dev/stdout");
  EXPECT_THAT(error_of([&] { file.overwrite(0, std::as_bytes(std::span("42", 2))); }),
              HasSubstr("/dev/stdout: this kind of file cannot be written to the standard output"));
}

TEST_F(WriteFile, UntilCommitTheEarlierFileStaysAndWithoutItNothingIsLeft) {
  save("a", "earlier");
  {
    NewFile file(path("a"));
    file.write(std::string(2 << 20, 'x'));
    EXPECT_EQ(contents_of(path("a")), "earlier");
    EXPECT_EQ(files_in_folder(), 2u);
  }
  EXPECT_EQ(contents_of(path("a")), "earlier");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, TemporariesOfAnotherRunAreLeftAlone) {
  NewFile first(path("a")), second(path("a"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(contents_of(path("a")), "first");
  second.commit();
  EXPECT_EQ(contents_of(path("a")), "second");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriteFile, LeftoversOfKilledRunsNeverBlock) {
  // As a process with this process's id would have left them, and as another one could place them.
  for (int i = 0; i < 200; ++i) {
    const std::string suffix = '.' + std::to_string(::getpid()) + '-' + std::to_string(i) + ".part";
    i % 2 == 0 ? (void)save("a" + suffix, "left") : std::filesystem::create_symlink("victim", path("a" + suffix));
  }
  write_file(path("a"), "new");
  EXPECT_EQ(contents_of(path("a")), "new");
  EXPECT_FALSE(std::filesystem::exists(path("victim")));
  EXPECT_EQ(files_in_folder(), 201u);
}

TEST_F(WriteFile, NamesAsLongAsTheSystemAllowsAreWritten) {
  const std::string name(255, 'n');
  write_file(path(name), "text");
  EXPECT_EQ(contents_of(path(name)), "text");
}

/// What `ls -l` shows of a file, as a number.
unsigned mode_of(const std::filesystem::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777u : 0;
}

TEST_F(WriteFile, NewFilesHonourTheUmaskAndReplacedOnesKeepTheirMode) {
  const mode_t before = ::umask(027);
  write_file(path("new"), "text");
  save("kept", "earlier");
  for (const mode_t mode : {0600, 0664, 0755, 0444}) {
    ASSERT_EQ(::chmod(path("kept").c_str(), mode), 0);
    {
      NewFile file(path("kept"));
      for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
        EXPECT_TRUE(entry.path().extension() != ".part" || mode_of(entry) == mode) << "nobody else reads it meanwhile";
      }
      file.write("text");
      file.commit();
    }
    EXPECT_EQ(mode_of(path("kept")), mode);
  }
  ::umask(before);
  EXPECT_EQ(mode_of(path("new")), 0640u);
}

TEST_F(WriteFile, TheOwnerOfAReplacedFileIsKept) {
  save("a", "earlier");
  if (::chown(path("a").c_str(), 12345, 23456) != 0) GTEST_SKIP() << "only root may give files away";
  write_file(path("a"), "new");
  struct stat info {};
  ASSERT_EQ(::stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 12345u);
  EXPECT_EQ(info.st_gid, 23456u);
}

/// What was on the disk's side when fsync() was called.
struct Sync {
  bool folder = false;
  std::string content;  ///< of the file at that time
};
std::vector<Sync> syncs;
std::filesystem::path synced_file;

int record_sync(int file) {
  struct stat info {};
  ::fstat(file, &info);
  syncs.push_back({S_ISDIR(info.st_mode), contents_of(synced_file)});
  return 0;
}

class SyncedFile : public WriteFile {
 protected:
  void SetUp() override {
    synced_file = save("a", "earlier");
    syncs.clear();
    on_fsync = record_sync;
  }
  void TearDown() override { on_fsync = nullptr; }
};

TEST_F(SyncedFile, IsOnTheDiskBeforeItIsRenamedAndItsFolderAfter) {
  write_file(path("a"), "new");
  ASSERT_EQ(syncs.size(), 2u);
  EXPECT_FALSE(syncs[0].folder);
  EXPECT_EQ(syncs[0].content, "earlier");
  EXPECT_TRUE(syncs[1].folder);
  EXPECT_EQ(syncs[1].content, "new");
}

TEST_F(SyncedFile, OptionSwitchesItOff) {
  write_file(path("a"), "new", {.sync = false});
  EXPECT_EQ(contents_of(path("a")), "new");
  EXPECT_TRUE(syncs.empty());
}

TEST_F(SyncedFile, AFailingDiskIsAnErrorAndTheEarlierFileStays) {
  on_fsync = [](int) { return EIO; };
  EXPECT_THAT(write_error(path("a")), AllOf(HasSubstr("a: cannot write the file"), HasSubstr("Input/output error")));
  EXPECT_EQ(contents_of(path("a")), "earlier");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(SyncedFile, AFileSystemWithoutItIsNoError) {
  on_fsync = [](int) { return EINVAL; };
  write_file(path("a"), "new");
  EXPECT_EQ(contents_of(path("a")), "new");
}

TEST_F(WriteFile, SocketsAndDisksAreRefused) {
  const std::string name = path("socket").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(write_error(name), HasSubstr("socket: is a socket; name a file"));
  EXPECT_TRUE(std::filesystem::is_socket(name));
  ::close(socket);
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", unreadable)) {
    if (!entry.is_block_file(unreadable) || entry.is_symlink()) continue;
    NewFile* opened = nullptr;  // nothing is written, should it not be refused
    EXPECT_THAT(error_of([&] { opened = new NewFile(entry.path()); }), HasSubstr("is a disk or another block device"));
    delete opened;
    break;
  }
}

TEST_F(WriteFile, FoldersAreRefused) {
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink(path("folder"), path("link"));
  EXPECT_THAT(write_error(path("folder")), HasSubstr("folder: is a folder; name a file in it"));
  EXPECT_THAT(write_error(path("link")), HasSubstr("link: is a folder"));
  EXPECT_THAT(write_error(path("none/a")), AllOf(HasSubstr("none/a: cannot create"), HasSubstr("No such file")));
  EXPECT_THAT(write_error(path("")), HasSubstr("is a folder"));
}

TEST_F(WriteFile, ALinkIsFollowedAndStaysALink) {
  save("target", "earlier, and longer");
  std::filesystem::create_symlink("target", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents_of(path("target")), "new");
  std::filesystem::create_symlink("later", path("dangling"));
  write_file(path("dangling"), "made");
  EXPECT_EQ(contents_of(path("later")), "made");
  EXPECT_EQ(files_in_folder(), 4u);
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_THAT(write_error(path("loop")), HasSubstr("loop: cannot write a file there"));
}

TEST_F(WriteFile, WhatALinkLeadsToStaysWholeUntilCommit) {
  save("target", "earlier");
  std::filesystem::create_symlink("target", path("link"));
  NewFile file(path("link"));
  file.write(std::string(2 << 20, 'x'));
  EXPECT_EQ(contents_of(path("target")), "earlier");
}

TEST_F(WriteFile, AFileThatIsOpenUnderNoNameIsWrittenDirectly) {
  save("a", "earlier");
  const int file = ::open(path("a").c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  std::filesystem::remove(path("a"));
  const std::filesystem::path link = "/proc/self/fd/" + std::to_string(file);
  if (!std::filesystem::exists(link)) GTEST_SKIP() << "no /proc";
  write_file(link, "new");
  char bytes[16] = {};
  EXPECT_EQ(::pread(file, bytes, sizeof bytes, 0), 3);
  EXPECT_STREQ(bytes, "new");
  EXPECT_EQ(files_in_folder(), 0u);
  ::close(file);
}

TEST_F(WriteFile, APathWithANulIsRefused) {
  const std::string name = path("a").string() + '\0' + ".ply";
  EXPECT_THAT(write_error(name), HasSubstr("a\\u0000.ply: the path contains a NUL character"));
  EXPECT_EQ(files_in_folder(), 0u);
  save("a", "secret");
  EXPECT_THAT(error_of([&] { (void)read_mesh(name); }), AllOf(HasSubstr("NUL"), Not(HasSubstr("secret"))));
}

TEST_F(WriteFile, APipeIsWrittenDirectly) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents_of(path("pipe")); });
  write_file(path("pipe"), "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(WriteFile, GoesOnAfterASignal) {
  struct sigaction noted = {}, before = {};
  noted.sa_handler = [](int) {};  // without SA_RESTART: a call that waits ends with EINTR
  ASSERT_EQ(::sigaction(SIGUSR1, &noted, &before), 0);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string text, received;
  for (int i = 0; text.size() < 1 << 20; ++i) text += std::to_string(i) + '\n';
  {
    const std::jthread reader([&, writer = ::pthread_self()] {
      std::ifstream file(path("pipe"), std::ios::binary);
      // The pipe is full: the first signal ends a write in part, the others interrupt it before it wrote anything.
      for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ::pthread_kill(writer, SIGUSR1);
      }
      received.assign(std::istreambuf_iterator<char>(file), {});
    });
    EXPECT_NO_THROW(write_file(path("pipe"), text));
  }
  EXPECT_TRUE(received == text);
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

TEST_F(WriteFile, AFullDeviceIsAnError) {
  EXPECT_THAT(write_error("/dev/full"), AllOf(HasSubstr("/dev/full: cannot write"), HasSubstr("No space left")));
  EXPECT_THAT(error_of([] { write_file("/dev/full", std::string(2 << 20, 'x')); }), HasSubstr("No space left"));
}

TEST(Printable, KeepsTextAndSpellsOutWhatSteersATerminal) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("cup (2) caf\u00e9 \u676f \U0001F375.ply"), "cup (2) caf\u00e9 \u676f \U0001F375.ply");
  EXPECT_EQ(printable("a\nb\t\x1b[2J\x7f"), "a\\nb\\t\\u001b[2J\\u007f");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\u0000x");
  EXPECT_EQ(printable("\u009b31m \u00a0"), "\\u009b31m \u00a0") << "control characters of two bytes";
  EXPECT_EQ(printable("\u202eylp.exe \u2066\u061c\u2028"), "\\u202eylp.exe \\u2066\\u061c\\u2028");
}

TEST(Printable, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc1\x9b"), "\\xc1\\x9b") << "more bytes than needed";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80 \xf4\x90\x80\x80 \xff"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xff");
}

}  // namespace
}  // namespace lamella::test
