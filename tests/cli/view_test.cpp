// `lamella view`: the program serves its page to a client, and ends with it.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <httplib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cli/html/page.hpp"
#include "cli/program.hpp"
#include "session/packet.hpp"

namespace lamella::test {
namespace {

using session::Json;
using testing::HasSubstr;

class View : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!cli::has_page()) GTEST_SKIP() << "this build has no page: ./run web";
    box_ = save("box.ply", make_box({0, 0, 0}, {2, 2, 2}));
    (void)save("secret.ply", make_box({0, 0, 0}, {9, 9, 9}));
  }
  void TearDown() override {
    if (running_.joinable()) {
      if (!ended_) kill(process_, SIGKILL);
      running_.join();
    }
    Program::TearDown();
  }

  /// Starts the program, and waits for the address that it prints.
  void start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "view");
    process_ = start_program(arguments);
    ASSERT_NE(process_, -1);
    running_ = std::thread([this] {
      outcome_ = finish_program(process_);
      ended_ = true;
    });
    for (int i = 0; i < 6000 && address_.empty() && !ended_; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::string text = printed_so_far();
      const std::size_t at = text.find("http://"), end = text.find('\n', at);
      if (at != std::string::npos && end != std::string::npos) address_ = text.substr(at, end - at);
    }
    ASSERT_FALSE(address_.empty()) << outcome_.err;
    const std::size_t port = address_.rfind(':') + 1;
    port_ = std::stoi(address_.substr(port));
    token_ = address_.substr(address_.find('=') + 1);
  }
  [[nodiscard]] bool ends() const {
    for (int i = 0; i < 2000 && !ended_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return ended_;
  }
  [[nodiscard]] httplib::Client client() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client;
  }
  [[nodiscard]] Json ask(const Json& request) const {
    session::Bytes bytes;
    session::PacketWriter().finish(request, bytes);
    const auto reply =
        client().Post("/call?token=" + token_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "x/y");
    EXPECT_TRUE(reply && reply->status == 200);
    return reply ? session::read_packet(std::as_bytes(std::span(reply->body))).json : Json();
  }
  void say_bye() const { EXPECT_TRUE(client().Post("/bye?token=" + token_)); }

  std::string box_, address_, token_;
  int port_ = 0;
  pid_t process_ = -1;
  std::atomic<bool> ended_ = false;
  Outcome outcome_;
  std::thread running_;
};

TEST_F(View, ServesItsPageAndTheMeshesThatWereNamed) {
  start({box_, "model:hand:500"});
  const auto page = client().Get("/?token=" + token_);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, HasSubstr(R"({"token":")" + token_ + R"("})"));
  const Json state = ask({{"op", "state"}});
  ASSERT_EQ(state["objects"].size(), 2u);
  EXPECT_EQ(state["objects"][0]["name"], "box.ply");
  EXPECT_EQ(state["objects"][0]["volume"], 8);
  EXPECT_EQ(state["objects"][1]["source"]["model"], "hand");
  EXPECT_TRUE(ask({{"op", "hello"}})["native"].get<bool>());
  say_bye();
  EXPECT_TRUE(ends());
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.err, "");
}

TEST_F(View, ReadsNoOtherFiles) {
  start({box_});
  for (const Json& request :
       {Json{{"op", "open"}, {"name", at("secret.ply")}},
        Json{{"op", "open"}, {"name", at("secret.ply")}, {"file", at("secret.ply")}},
        Json{{"op", "model"}, {"name", at("secret.ply")}}, Json{{"op", "load"}, {"file", at("secret.ply")}}})
    EXPECT_TRUE(ask(request).contains("error")) << request;
  EXPECT_EQ(ask({{"op", "state"}})["objects"].size(), 1u);
  const auto file = client().Get(at("secret.ply") + "?token=" + token_);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->status, 404);
  const auto stranger = client().Get("/");
  ASSERT_TRUE(stranger);
  EXPECT_EQ(stranger->status, 403);
}

TEST_F(View, AnswersWithTheBitsOfTheCommandLine) {
  const std::string other = save("other.ply", make_box({1, 1, 1}, {3, 3, 3.5f}));
  const Json expected = run({"intersect", box_, other, "--json"}).json();
  start({box_, other});
  const Json objects = ask({{"op", "state"}})["objects"];
  const Json answer = ask({{"op", "query"},
                           {"kind", "intersect"},
                           {"a", objects[0]["id"]},
                           {"b", objects[1]["id"]},
                           {"options", {{"engine", "software"}}}})["answer"];
  for (const char* member : {"volume", "volume_error", "centroid", "spans", "verdict"})
    EXPECT_EQ(answer[member], expected[member]) << member;
}

TEST_F(View, EndsWithCtrlC) {
  start({"--keep"});
  EXPECT_EQ(ask({{"op", "state"}})["objects"].size(), 0u) << "without meshes too";
  say_bye();
  kill(process_, SIGINT);
  EXPECT_TRUE(ends());
  EXPECT_EQ(outcome_.status, 0);
}

TEST_F(View, SaysWhatIsWrongBeforeItServes) {
  const Outcome missing = run({"view", at("missing.ply")});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.out, "");
  EXPECT_THAT(missing.err, HasSubstr("missing.ply"));
  const Outcome port = run({"view", "--port", "0"});
  EXPECT_EQ(port.status, 2);
  EXPECT_THAT(port.err, HasSubstr("--port: '0' is not a whole number from 1 to 65535"));
}

}  // namespace
}  // namespace lamella::test
