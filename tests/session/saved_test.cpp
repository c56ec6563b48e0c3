#include <gmock/gmock.h>

#include <random>

#include "cli/program.hpp"
#include "scenes/catalogue.hpp"
#include "session/compress.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

using testing::HasSubstr;

std::vector<std::uint8_t> save_to(Conversation& talk, const Json& more = Json::object()) {
  Json request{{"op", "save"}};
  request.update(more);
  const Reply reply = talk.ask(request);
  return reply.array<std::uint8_t>(reply["file"]);
}

Reply load_from(Conversation& talk, const std::vector<std::uint8_t>& file) {
  const Json array = talk.writer.add(file);
  return talk.ask({{"op", "load"}, {"file", array}});
}

std::vector<Vec3> positions_of(Conversation& talk, const Json& id) {
  const Reply reply = talk.ask({{"op", "mesh"}, {"id", id}});
  return reply.array<Vec3>(reply["positions"]);
}

class SavedViews : public testing::Test {
 protected:
  void SetUp() override {
    hand_ = from_.add_model("hand", 3000);
    phone_ = from_.add_model("phone", 2000);
    from_.ask({{"op", "pose"}, {"poses", {{phone_, {0.01, 0.02, 0.03, 0.1, 0.2, -0.05, 0.9731}}}}});
    from_.ask({{"op", "rename"}, {"id", hand_}, {"name", "<script>"}});
    from_.ask({{"op", "pull"}, {"id", hand_}, {"vertex", 9}, {"to", {0, 0, 1}}, {"radius", 0.2}, {"done", true}});
    from_.ask({{"op", "set_view"}, {"view", {{"camera", {1, 2, 3}}}}});
  }
  Conversation from_, to_;
  std::uint32_t hand_ = 0, phone_ = 0;
};

TEST_F(SavedViews, ComeBackExactly) {
  const Reply before = from_.ask({{"op", "state"}});
  const Reply loaded = load_from(to_, save_to(from_));
  EXPECT_EQ(loaded.packet.json, before.packet.json);
  EXPECT_EQ(to_.ask({{"op", "state"}}).packet.json, before.packet.json);
  for (const std::uint32_t id : {hand_, phone_}) EXPECT_EQ(positions_of(to_, id), positions_of(from_, id));
  const Json question{{"op", "query"}, {"kind", "intersect"}, {"a", hand_}, {"b", phone_}};
  EXPECT_EQ(timeless(to_.ask(question)["answer"]), timeless(from_.ask(question)["answer"]));
  to_.ask({{"op", "reset"}, {"id", hand_}});
  from_.ask({{"op", "reset"}, {"id", hand_}});
  EXPECT_EQ(positions_of(to_, hand_), positions_of(from_, hand_)) << "positions as they were read";
}

TEST_F(SavedViews, ReplaceWhatWasThere) {
  (void)to_.add_model("box", 12);
  EXPECT_EQ(load_from(to_, save_to(from_))["objects"].size(), 2u);
  const std::uint32_t next = to_.add_model("box", 12);
  EXPECT_NE(next, hand_);
  EXPECT_NE(next, phone_);
}

TEST_F(SavedViews, AreSmallerThanTheirMeshes) {
  const auto file = save_to(from_);
  EXPECT_LT(file.size(), 5000u * 12 + 2500 * 12 * 2);
  EXPECT_EQ(std::string(file.begin(), file.begin() + 4), "LMZ1");
}

TEST_F(SavedViews, CanBeUncompressed) {
  const auto file = save_to(from_);
  const session::Bytes packet = session::from_file(std::as_bytes(std::span(file)));
  std::vector<std::uint8_t> plain(packet.size());
  std::memcpy(plain.data(), packet.data(), plain.size());
  EXPECT_EQ(load_from(to_, plain)["objects"].size(), 2u);
}

TEST_F(SavedViews, WithAMostOfFacesSaySo) {
  const Reply saved = from_.ask({{"op", "save"}, {"most_faces", 4500}});
  EXPECT_EQ(saved["simplified"], Json::array({hand_}));
  const Reply loaded = load_from(to_, saved.array<std::uint8_t>(saved["file"]));
  const Json &hand = loaded["objects"][0], &phone = loaded["objects"][1];
  EXPECT_LE(hand["faces"], 4500 - 2012);
  EXPECT_EQ(hand["simplified"]["faces"], from_.ask({{"op", "state"}})["objects"][0]["faces"]);
  EXPECT_EQ(hand["simplified"]["volume"], from_.ask({{"op", "state"}})["objects"][0]["volume"]);
  EXPECT_EQ(phone["simplified"], nullptr) << "small objects stay exact";
  EXPECT_EQ(positions_of(to_, phone_), positions_of(from_, phone_));
  EXPECT_NEAR(hand["volume"], from_.ask({{"op", "state"}})["objects"][0]["volume"].get<double>(), 0.003);
}

TEST_F(SavedViews, ThatAreSimplifiedAgainKnowTheirFirstSource) {
  const Json whole = from_.ask({{"op", "state"}})["objects"][0];
  (void)load_from(to_, save_to(from_, {{"most_faces", 4500}}));
  Conversation third;
  const Reply again = load_from(third, save_to(to_, {{"most_faces", 2000}}));
  const Json& hand = again["objects"][0];
  EXPECT_EQ(hand["simplified"], (Json{{"faces", whole["faces"]}, {"volume", whole["volume"]}}));
  third.ask({{"op", "copy"}, {"id", hand["id"]}});
  EXPECT_EQ(third.ask({{"op", "state"}})["objects"][2]["simplified"], hand["simplified"]);
}

TEST_F(SavedViews, CarryAReportWithItsArrays) {
  const Json picture = from_.writer.add(std::vector<std::uint8_t>{137, 80, 78, 71});
  Json frame = from_.writer.add(std::vector<Vec3>{{0, 0, 0}, {1, 2, 3}, {0.5f, 0.25f, 3}});
  const Json exact = frame;
  frame["steps"] = true;
  Json report{{"command", "intersect"}, {"answer", {{"volume", 0.25}, {"query", "intersect"}}}};
  report["pictures"] = {{{"title", "a"}, {"png", picture}}};
  report["frames"] = {{"exact", exact}, {"steps", {{{"positions", frame}}}}};
  from_.ask({{"op", "set_report"}, {"report", report}});
  const auto check = [&](const Reply& state) {
    const Json& found = state["report"];
    EXPECT_EQ(found["answer"].dump(), report["answer"].dump()) << "with its order";
    EXPECT_THAT(state.array<std::uint8_t>(found["pictures"][0]["png"]), testing::ElementsAre(137, 80, 78, 71));
    EXPECT_EQ(state.array<Vec3>(found["frames"]["exact"])[2], (Vec3{0.5f, 0.25f, 3}));
    const auto rounded = state.array<Vec3>(found["frames"]["steps"][0]["positions"]);
    EXPECT_NEAR(rounded[2].y, 0.25f, 3e-5);
    EXPECT_EQ(rounded[1], (Vec3{1, 2, 3}));
  };
  check(from_.ask({{"op", "state"}}));
  check(load_from(to_, save_to(from_)));
  check(to_.ask({{"op", "state"}}));
  Conversation third;
  check(load_from(third, save_to(to_)));
}

TEST_F(SavedViews, ThatAreDamagedLeaveTheSessionAsItWas) {
  const auto file = save_to(from_);
  const Json before = to_.ask({{"op", "state"}}).packet.json;
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    auto damaged = file;
    damaged[12 + random() % (file.size() - 12)] ^= static_cast<std::uint8_t>(1 + random() % 255);
    const Json array = to_.writer.add(damaged);
    EXPECT_NE(to_.send({{"op", "load"}, {"file", array}}).error(), "");
  }
  EXPECT_EQ(to_.ask({{"op", "state"}}).packet.json, before);
}

/// The JSON of a saved view, changed.
class ForgedViews : public SavedViews {
 protected:
  std::string load(const std::function<void(Json&)>& change) {
    const auto file = save_to(from_);
    const session::Bytes bytes = session::from_file(std::as_bytes(std::span(file)));
    session::Packet packet = session::read_packet(bytes);
    change(packet.json);
    session::PacketWriter writer;
    for (const auto& array : packet.arrays) (void)writer.add_bytes(array, session::NumberType::u8, nullptr);
    session::Bytes out;
    writer.finish(packet.json, out);
    const Json array = to_.writer.add(out);
    return to_.send({{"op", "load"}, {"file", array}}).error();
  }
};

TEST_F(ForgedViews, AreRefused) {
  EXPECT_EQ(load([](Json&) {}), "");
  const auto refuses = [&](const std::function<void(Json&)>& change) {
    EXPECT_NE(load(change), "");
    EXPECT_EQ(to_.ask({{"op", "state"}})["objects"].size(), 2u);
  };
  refuses([](Json& j) { j["lamella"] = 2; });
  refuses([](Json& j) { j.erase("objects"); });
  refuses([](Json& j) { j["objects"] = 5; });
  refuses([](Json& j) { j["objects"][0] = 5; });
  refuses([](Json& j) { j["objects"][1]["id"] = j["objects"][0]["id"]; });
  refuses([](Json& j) { j["objects"][0]["id"] = 0; });
  refuses([](Json& j) { j["objects"][0]["id"] = 4294967295u; });
  refuses([](Json& j) { j["objects"][0]["name"] = 5; });
  refuses([](Json& j) { j["objects"][0]["pose"][6] = 50; });
  refuses([](Json& j) { j["objects"][0]["origin"] = {1, 2}; });
  refuses([](Json& j) { j["objects"][0]["positions"] = j["objects"][0]["triangles"]; });
  refuses([](Json& j) { j["objects"][0]["triangles"] = j["objects"][0]["positions"]; });
  refuses([](Json& j) { j["objects"][0]["positions"]["array"] = j["objects"][1]["positions"]["array"]; });
  refuses([](Json& j) {
    j["objects"][1]["positions"] = j["objects"][0]["positions"];
    j["objects"][0]["positions"] = nullptr;
  });
  refuses([](Json& j) { j["objects"][0]["as_read"] = j["objects"][1]["positions"]; });
  refuses([](Json& j) { j["report"] = {{"x", {{"array", 999}, {"type", "u8"}, {"count", 1}}}}; });
  refuses([](Json& j) { j["report"] = "text"; });
}

TEST_F(ForgedViews, WithCornersBeyondTheVerticesAreRefused) {
  EXPECT_THAT(load([](Json& j) {
                // The phone has fewer vertices than the hand has.
                j["objects"][0]["positions"] = j["objects"][1]["positions"];
                j["objects"][0].erase("as_read");
              }),
              HasSubstr("vertex that the object does not have"));
}

}  // namespace
}  // namespace lamella::test
