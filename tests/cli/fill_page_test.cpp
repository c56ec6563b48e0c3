// What --html puts into a page, and what it cannot.

#include <gmock/gmock.h>

#include <string>

#include "cli/html/fill.hpp"
#include "cli/html/page.hpp"
#include "lamella/error.hpp"

namespace lamella::test {
namespace {

using cli::fill_page;
using cli::kDataMarker;
using testing::HasSubstr;

std::string base64_of(std::string_view text) { return cli::base64(std::as_bytes(std::span(text))); }

/// The smallest page.
std::string tiny_page() { return "<title>viewer</title><body>" + std::string(kDataMarker) + "</body>"; }

TEST(Base64, IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_of("\xff\xef\xbe"), "/+++");
}

TEST(FillPage, PutsTitleAndDataInTheirPlaces) {
  EXPECT_EQ(
      fill_page(tiny_page(), "hand", kDataMarker, "QUJD"),
      R"(<title>hand</title><body><script type="application/octet-stream" id="lamella-data">QUJD</script></body>)");
}

TEST(FillPage, ATitleIsText) {
  const std::string out = fill_page(tiny_page(), "</title><script>alert('1')</script>&\"\n\xff", kDataMarker, "");
  EXPECT_THAT(out, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;\\n\\xff"
                             "</title>"));
}

TEST(FillPage, DataThatWouldEndItsElementIsRefused) {
  EXPECT_THROW((void)fill_page(tiny_page(), "", kDataMarker, "abc</script>"), Error);
  EXPECT_THROW((void)fill_page(tiny_page(), "", kDataMarker, "abc</SCRIPT>"), Error);
}

TEST(FillPage, APageWithoutAPlaceIsRefused) {
  for (const std::string& page : {std::string(), std::string("<title>x</title>"), std::string(kDataMarker),
                                  tiny_page() + std::string(kDataMarker), std::string(kDataMarker) + "<title>x</title>",
                                  "<title>x" + std::string(kDataMarker)})
    EXPECT_THROW((void)fill_page(page, "", kDataMarker, "QUJD"), Error) << page;
}

TEST(Page, IsReadAsGzipWroteIt) {
  // printf 'hello, page' | gzip -n | xxd -i
  constexpr unsigned char kBytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb,
                                      0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0x28, 0x48, 0x4c, 0x4f, 0x05,
                                      0x00, 0x98, 0x71, 0x52, 0x72, 0x0b, 0x00, 0x00, 0x00};
  const std::string whole(reinterpret_cast<const char*>(kBytes), sizeof kBytes);
  EXPECT_EQ(cli::gunzip(whole), "hello, page");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW((void)cli::gunzip(whole.substr(0, size)), Error) << size;
  std::string damaged = whole;
  damaged[24] ^= 1;  // its check sum
  EXPECT_THROW((void)cli::gunzip(damaged), Error);
}

TEST(Page, OfThisProgramHasItsPlaces) {
  if (!cli::has_page()) {
    try {
      (void)cli::require_page("--html");
      FAIL() << "there is no page";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("--html: this program was built without the viewer's page"));
      EXPECT_THAT(error.what(), HasSubstr("`./run web`"));
    }
    return;
  }
  const std::string page = cli::require_page("--html");
  EXPECT_NO_THROW((void)fill_page(page, "x", kDataMarker, "QUJD"));
  EXPECT_NO_THROW((void)fill_page(page, "x", cli::kServerMarker, "{}"));
}

}  // namespace
}  // namespace lamella::test
