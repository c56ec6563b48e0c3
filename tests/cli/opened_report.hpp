#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cli/html/page.hpp"
#include "lamella/mesh.hpp"
#include "session/packet.hpp"
#include "session/session.hpp"

namespace lamella::test {

inline std::vector<std::byte> from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = kDigits.find(c);
    EXPECT_NE(digit, std::string_view::npos) << "no base64: " << c;
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) >= 8) out.push_back(static_cast<std::byte>(bits >> (count -= 8) & 255));
  }
  return out;
}

/// What is between the tags of the element for data.
inline std::string data_of(const std::string& html) {
  constexpr std::string_view kEnd = "</script>";
  const std::string begin(cli::kDataMarker.substr(0, cli::kDataMarker.size() - kEnd.size()));
  const std::size_t at = html.find(begin);
  EXPECT_NE(at, std::string::npos) << "no data";
  if (at == std::string::npos) return "";
  return html.substr(at + begin.size(), html.find(kEnd, at) - at - begin.size());
}

/// A page of --html as its own engine opens it.
class OpenedReport {
 public:
  explicit OpenedReport(const std::string& html) {
    session::PacketWriter packet;
    const session::Json file = packet.add(from_base64(data_of(html)));
    state_ = ask({{"op", "load"}, {"file", file}}, packet);
  }

  [[nodiscard]] session::Json ask(const session::Json& request, const session::PacketWriter& packet = {}) {
    session::Bytes bytes;
    packet.finish(request, bytes);
    const auto reply = session_.call(bytes);
    reply_.assign(reply.begin(), reply.end());
    packet_ = session::read_packet(reply_);
    EXPECT_FALSE(packet_.json.contains("error")) << packet_.json;
    return packet_.json;
  }
  [[nodiscard]] const session::Json& objects() const { return state_.at("objects"); }
  [[nodiscard]] const session::Json& report() const { return state_.at("report"); }

  /// An array of the last reply.
  template <class T>
  [[nodiscard]] std::vector<T> array(const session::Json& value) const {
    return session::read_array<T>(packet_, value, "array");
  }
  [[nodiscard]] Mesh mesh(std::size_t object) {
    const session::Json reply = ask({{"op", "mesh"}, {"id", objects().at(object).at("id")}});
    Mesh mesh{array<Vec3>(reply.at("positions")), array<Triangle>(reply.at("triangles"))};
    mesh.origin = {reply.at("origin").at(0), reply.at("origin").at(1), reply.at("origin").at(2)};
    return mesh;
  }

 private:
  session::Session session_;
  session::Bytes reply_;
  session::Packet packet_;
  session::Json state_;
};

}  // namespace lamella::test
