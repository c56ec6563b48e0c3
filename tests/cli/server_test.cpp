// The server behind `lamella view`: who gets an answer, and who does not.

#include <gmock/gmock.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "cli/html/page.hpp"
#include "cli/view/server.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using namespace std::chrono_literals;
using cli::ServerOptions;
using cli::ViewServer;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string tiny_page() {
  return "<!doctype html><title>x</title>" + std::string(cli::kServerMarker) + "<p>" + std::string(9000, 'a');
}

/// A server that says what it is told backwards.
class Server : public testing::Test {
 protected:
  void start(const ServerOptions& options = {.keep = true, .longest_wait = 50ms}) {
    server_ = std::make_unique<ViewServer>(
        tiny_page(),
        [this](std::span<const std::byte> request) {
          if (answering_.exchange(true)) overlapping_ = true;
          reply_.assign(request.rbegin(), request.rend());
          if (delay_ > 0ms) std::this_thread::sleep_for(delay_);
          answering_ = false;
          return std::span<const std::byte>(reply_);
        },
        options);
    const std::string& address = server_->address();
    const std::size_t port = address.rfind(':') + 1, slash = address.find('/', port);
    port_ = std::stoi(address.substr(port, slash - port));
    token_ = address.substr(address.find('=') + 1);
    running_ = std::thread([this] {
      end_ = server_->run([this] { return stop_.load(); });
      ended_ = true;
    });
  }
  void TearDown() override {
    stop_ = true;
    if (running_.joinable()) running_.join();
    EXPECT_FALSE(overlapping_) << "one request at a time";
  }
  [[nodiscard]] httplib::Client client() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(10);
    return client;
  }
  [[nodiscard]] std::string with_token(const std::string& path) const { return path + "?token=" + token_; }

  [[nodiscard]] int status_of_get(const std::string& path, const httplib::Headers& headers = {}) const {
    const auto result = client().Get(path, headers);
    return result ? result->status : -1;
  }
  [[nodiscard]] int status_of_call(const httplib::Headers& headers, const std::string& path = "/call") const {
    const auto result = client().Post(with_token(path), headers, "abc", "application/octet-stream");
    return result ? result->status : -1;
  }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] bool ends_within(std::chrono::milliseconds limit) const {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (!ended_ && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(5ms);
    return ended_;
  }

  std::unique_ptr<ViewServer> server_;
  std::vector<std::byte> reply_;
  std::chrono::milliseconds delay_{0};
  std::atomic<bool> stop_ = false, ended_ = false, answering_ = false, overlapping_ = false;
  std::atomic<ViewServer::End> end_ = ViewServer::End::stopped;
  std::thread running_;
  int port_ = 0;
  std::string token_;
};

TEST_F(Server, AnswersWhoKnowsTheToken) {
  start();
  const auto result = client().Post(with_token("/call"), "hello", "application/octet-stream");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(result->body, "olleh");
  EXPECT_EQ(result->get_header_value("Content-Type"), "application/octet-stream");
}

TEST_F(Server, GivesThePageItsToken) {
  start();
  const auto page = client().Get(with_token("/"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, HasSubstr(R"(id="lamella-server">{"token":")" + token_ + R"("}</script>)"));
  EXPECT_EQ(page->body.size(), tiny_page().size() + std::string("Lamella").size() - 1 + token_.size() + 12);
  EXPECT_THAT(page->get_header_value("Content-Type"), HasSubstr("text/html"));
}

TEST_F(Server, RepliesMayBeKeptFramedOrLookedIntoByNobody) {
  start();
  for (const std::string& path : {with_token("/"), std::string("/"), with_token("/nothing")}) {
    const auto reply = client().Get(path);
    ASSERT_TRUE(reply);
    const auto header = [&](const char* name) { return reply->get_header_value(name); };
    EXPECT_EQ(header("Cache-Control"), "no-store");
    EXPECT_EQ(header("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(header("Cross-Origin-Embedder-Policy"), "require-corp");
    EXPECT_EQ(header("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(header("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header("X-Frame-Options"), "DENY");
    EXPECT_THAT(header("Content-Security-Policy"), HasSubstr("default-src 'none'"));
    EXPECT_EQ(header("Access-Control-Allow-Origin"), "");
  }
}

TEST_F(Server, HasAnotherTokenEachTime) {
  start();
  const ViewServer other(tiny_page(), [](std::span<const std::byte> request) { return request; });
  const std::string token = other.address().substr(other.address().find('=') + 1);
  EXPECT_THAT(token, ContainsRegex("^[0-9a-f]{32}$"));
  EXPECT_NE(token, token_);
}

TEST_F(Server, RefusesWithoutTheToken) {
  start();
  std::string wrong = token_;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& query :
       {std::string(), std::string("?token="), "?token=" + wrong, "?token=" + token_ + "0",
        "?token=" + token_.substr(1), "?tokens=" + token_, "?token=" + token_ + "&token=0"}) {
    for (const std::string path : {"/", "/alive", "/nothing", "/../../etc/passwd"})
      EXPECT_EQ(status_of_get(path + query), 403) << path << query;
    for (const std::string path : {"/call", "/bye"}) {
      const auto result = client().Post(path + query, "abc", "application/octet-stream");
      ASSERT_TRUE(result) << path << query;
      EXPECT_EQ(result->status, 403) << path << query;
    }
  }
  EXPECT_TRUE(reply_.empty()) << "nothing was asked";
}

TEST_F(Server, RefusesNamesThatOnlyLeadHere) {
  start();
  const std::string port = std::to_string(port_);
  for (const std::string& other :
       {"example.com:" + port, std::string("127.0.0.1"), std::string("localhost"),
        "127.0.0.1:" + std::to_string(port_ ^ 1), "127.0.0.1.example.com:" + port, "[::1]:" + port}) {
    EXPECT_EQ(status_of_get(with_token("/"), {{"Host", other}}), 403) << other;
    EXPECT_EQ(status_of_call({{"Host", other}}), 403) << other;
  }
  EXPECT_EQ(status_of_get(with_token("/"), {{"Host", "localhost:" + port}}), 200);
  EXPECT_EQ(status_of_get(with_token("/"), {{"Host", host()}}), 200);
}

TEST_F(Server, RefusesOtherSitesAndOtherPorts) {
  start();
  for (const std::string& origin : {std::string("http://example.com"), std::string("null"), "https://" + host(),
                                    "http://127.0.0.1:" + std::to_string(port_ ^ 1), std::string("file://")}) {
    EXPECT_EQ(status_of_call({{"Origin", origin}}), 403) << origin;
    EXPECT_EQ(status_of_get(with_token("/"), {{"Origin", origin}}), 403) << origin;
  }
  for (const std::string site : {"cross-site", "same-site"}) EXPECT_EQ(status_of_call({{"Sec-Fetch-Site", site}}), 403);
  EXPECT_TRUE(reply_.empty()) << "nothing was asked";
  EXPECT_EQ(status_of_call({{"Origin", "http://" + host()}, {"Sec-Fetch-Site", "same-origin"}}), 200);
  EXPECT_EQ(status_of_get(with_token("/"), {{"Sec-Fetch-Site", "none"}}), 200) << "typed into the browser";
}

TEST_F(Server, HasNoFiles) {
  start();
  for (const std::string path : {"/etc/passwd", "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
                                 "/index.html", "/call", "/bye", "/call/../"})
    EXPECT_EQ(status_of_get(with_token(path)), 404) << path;
  EXPECT_EQ(status_of_call({}, "/"), 404);
  EXPECT_EQ(status_of_call({}, "/alive"), 404);
}

TEST_F(Server, AnswersGetAndPostOnly) {
  start();
  for (const auto& result : {client().Put(with_token("/call"), "abc", "text/plain"), client().Delete(with_token("/")),
                             client().Options(with_token("/call")), client().Head(with_token("/"))}) {
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 405);
  }
}

TEST_F(Server, RefusesWhatIsTooLarge) {
  start({.keep = true, .most_bytes = 1000});
  const auto send = [&](std::size_t bytes) {
    const auto result = client().Post(with_token("/call"), std::string(bytes, 'x'), "application/octet-stream");
    return result ? result->status : -1;
  };
  EXPECT_EQ(send(1000), 200);
  EXPECT_EQ(send(1001), 413);
  EXPECT_EQ(send(300'000), 413);
  EXPECT_EQ(reply_.size(), 1000u) << "the others were not asked";
}

TEST_F(Server, RefusesWhatDoesNotSayHowLargeItIs) {
  start();
  const auto chunked = client().Post(
      with_token("/call"),
      [](std::size_t, httplib::DataSink& sink) {
        sink.write("abc", 3);
        sink.done();
        return true;
      },
      "application/octet-stream");
  ASSERT_TRUE(chunked);
  EXPECT_EQ(chunked->status, 411);
  EXPECT_EQ(status_of_call({{"Content-Encoding", "gzip"}}), 415);
  const auto form = client().Post(with_token("/call"), "abc", "multipart/form-data; boundary=x");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->status, 415);
}

TEST_F(Server, AnswersOneAtATime) {
  start();
  delay_ = 20ms;
  std::vector<std::thread> clients;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&, i] {
      const auto result = client().Post(with_token("/call"), std::string(10, static_cast<char>('a' + i)), "x/y");
      if (result && result->body == std::string(10, static_cast<char>('a' + i))) ++good;
    });
  for (std::thread& c : clients) c.join();
  EXPECT_EQ(good, 4);
}

TEST_F(Server, EndsAfterThePageSaidBye) {
  start({.after_bye = 100ms, .longest_wait = 60s});
  EXPECT_FALSE(ends_within(300ms)) << "no page was there yet";
  EXPECT_EQ(status_of_get(with_token("/")), 200);
  std::thread waiting([&] { EXPECT_EQ(status_of_get(with_token("/alive")), 204); });
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  waiting.join();  // was let go
  EXPECT_TRUE(ends_within(5s));
  EXPECT_EQ(end_, ViewServer::End::page_gone);
}

TEST_F(Server, StaysForAPageThatIsLoadedAnew) {
  start({.after_bye = 400ms, .longest_wait = 60s});
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  std::thread waiting([&] { EXPECT_EQ(status_of_get(with_token("/alive")), 204); });
  EXPECT_FALSE(ends_within(900ms)) << "a page waits";
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  waiting.join();
  EXPECT_TRUE(ends_within(5s));
}

TEST_F(Server, EndsWhenAPageIsGoneWithoutAWord) {
  start({.after_silence = 100ms, .longest_wait = 50ms});
  EXPECT_EQ(status_of_get(with_token("/alive")), 204);
  EXPECT_TRUE(ends_within(5s));
  EXPECT_EQ(end_, ViewServer::End::page_gone);
}

TEST_F(Server, DoesNotEndInTheMiddleOfAnAnswer) {
  start({.after_bye = 50ms, .after_silence = 50ms, .longest_wait = 10ms});
  delay_ = 400ms;
  std::thread asking([&] { EXPECT_EQ(status_of_call({}), 200); });
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  asking.join();
  EXPECT_TRUE(ends_within(5s));
}

TEST_F(Server, EndsWhenItIsTold) {
  start({.keep = true, .longest_wait = 60s});
  std::thread waiting([&] { EXPECT_EQ(status_of_get(with_token("/alive")), 204); });
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  waiting.join();
  EXPECT_FALSE(ends_within(200ms)) << "it was told to stay";
  stop_ = true;
  EXPECT_TRUE(ends_within(5s));
  EXPECT_EQ(end_, ViewServer::End::stopped);
}

TEST_F(Server, APortThatIsTakenIsAnError) {
  start();
  try {
    const ViewServer second(tiny_page(), [](std::span<const std::byte> request) { return request; },
                            {.port = static_cast<std::uint16_t>(port_)});
    FAIL() << "two servers at one port";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--port: " + std::to_string(port_)));
  }
}

TEST_F(Server, AnswersWhileManyPagesWait) {
  start({.keep = true, .longest_wait = 5000ms});
  std::vector<std::thread> pages;
  std::atomic<int> let_go = 0;
  for (int i = 0; i < 24; ++i) {
    pages.emplace_back([&] {
      const auto reply = client().Get(with_token("/alive"));
      if (reply && reply->status == 204) ++let_go;
    });
    std::this_thread::sleep_for(10ms);  // the system lets few connect at once
  }
  const auto page = client().Get(with_token("/"));
  EXPECT_EQ(let_go, 0) << "it had to wait for others";
  EXPECT_TRUE(page && page->status == 200);
  EXPECT_EQ(status_of_call({}, "/bye"), 200);
  for (std::thread& waiting : pages) waiting.join();
  EXPECT_EQ(let_go, 24);
}

}  // namespace
}  // namespace lamella::test
