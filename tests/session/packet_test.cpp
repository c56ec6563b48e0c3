#include "session/packet.hpp"

#include <gmock/gmock.h>

#include "lamella/error.hpp"

namespace lamella::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Bytes example() {
  PacketWriter writer;
  Json json{{"op", "test"}};
  json["floats"] = writer.add(std::vector<float>{1, 2.5f, -3});
  json["none"] = writer.add(std::vector<std::uint32_t>{});
  json["bytes"] = writer.add(std::vector<std::uint8_t>{1, 2, 3, 4, 5});
  Bytes out;
  writer.finish(json, out);
  return out;
}

std::string refusal(std::span<const std::byte> bytes) {
  try {
    (void)read_packet(bytes);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Bytes with_json(const std::string& text) {
  Bytes out;
  PacketWriter().finish(Json::object(), out);
  const auto size = static_cast<std::uint32_t>(text.size());
  std::memcpy(out.data() + 4, &size, sizeof size);
  out.resize(16);
  for (const char c : text) out.push_back(static_cast<std::byte>(c));
  return out;
}

TEST(Packets, ComeBackAsTheyWere) {
  const Bytes bytes = example();
  EXPECT_EQ(bytes.size() % 8, 0u);
  const Packet packet = read_packet(bytes);
  EXPECT_EQ(packet.json["op"], "test");
  EXPECT_THAT(read_array<float>(packet, packet.json["floats"], "floats"), ElementsAre(1, 2.5f, -3));
  EXPECT_THAT(read_array<std::uint32_t>(packet, packet.json["none"], "none"), ElementsAre());
  EXPECT_THAT(read_array<std::uint8_t>(packet, packet.json["bytes"], "bytes"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(packet.json["floats"], Json({{"array", 0}, {"type", "f32"}, {"count", 3}}));
}

TEST(Packets, HaveArraysAtMultiplesOfEightBytes) {
  const Bytes bytes = example();
  for (const auto& array : read_packet(bytes).arrays) EXPECT_EQ((array.data() - bytes.data()) % 8, 0);
}

TEST(Packets, CanBeAnywhereInMemory) {
  Bytes shifted = example();
  shifted.insert(shifted.begin(), std::byte{0});
  const Packet packet = read_packet(std::span(shifted).subspan(1));
  EXPECT_THAT(read_array<float>(packet, packet.json["floats"], "floats"), ElementsAre(1, 2.5f, -3));
}

TEST(Packets, CutOffAnywhereAreRefused) {
  const Bytes bytes = example();
  for (std::size_t size = 0; size + 8 < bytes.size(); ++size)
    EXPECT_NE(refusal(std::span(bytes).first(size)), "") << size;
}

TEST(Packets, ThatLieAboutTheirSizesAreRefused) {
  for (const std::size_t at : {4u, 8u, 16u, 24u, 32u}) {
    Bytes bytes = example();
    std::memset(bytes.data() + at, 0xff, at < 16 ? 4 : 8);
    EXPECT_NE(refusal(bytes), "") << at;
  }
}

TEST(Packets, WithJsonThatIsNoneAreRefused) {
  EXPECT_THAT(refusal(with_json("{\"op\":")), HasSubstr("cannot be read"));
  EXPECT_THAT(refusal(with_json("[]")), HasSubstr("no object"));
  EXPECT_THAT(refusal(with_json("{\"a\":\"\xff\"}")), HasSubstr("cannot be read"));
  EXPECT_EQ(refusal(with_json("{}")), "");
}

TEST(Packets, WithJsonNestedOrBranchedBeyondReasonAreRefused) {
  EXPECT_THAT(refusal(with_json("{\"a\":" + std::string(100'000, '['))), HasSubstr("nested"));
  EXPECT_EQ(refusal(with_json("{\"a\":" + std::string(50, '[') + std::string(50, ']') + "}")), "");
  std::string members = "{\"a\":0";
  for (int i = 0; i < 300; ++i) members += ",\"" + std::to_string(i) + "\":0";
  EXPECT_THAT(refusal(with_json(members + "}")), HasSubstr("members"));
}

TEST(Packets, RefuseToReadAnArrayAsSomethingElse) {
  const Bytes bytes = example();
  const Packet packet = read_packet(bytes);
  const auto refuses = [&](const Json& value) {
    EXPECT_THROW((void)read_array<float>(packet, value, "x"), Error) << value;
  };
  refuses(packet.json["bytes"]);
  refuses(Json());
  refuses(5);
  refuses({{"array", 9}, {"type", "f32"}, {"count", 3}});
  refuses({{"array", -1}, {"type", "f32"}, {"count", 3}});
  refuses({{"array", 0}, {"type", "f32"}, {"count", 4}});
  refuses({{"array", 0}, {"type", "f32"}, {"count", 0x2000000000000003}});
  refuses({{"array", 0}, {"type", "f16"}, {"count", 3}});
  refuses({{"array", 0}, {"type", "f32"}});
  refuses({{"array", 0}});
  EXPECT_THROW((void)read_array<Vec3>(packet, Json({{"array", 2}, {"type", "u8"}, {"count", 5}}), "x"), Error);
}

}  // namespace
}  // namespace lamella::session
