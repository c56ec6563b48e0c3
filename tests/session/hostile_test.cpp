// Requests that no page sends. Whatever comes, there is a reply.

#include <gmock/gmock.h>

#include <random>

#include "cli/program.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

const char* const kOperations[] = {"hello",  "state",  "set_view",   "open",    "model",  "copy",
                                   "remove", "rename", "pose",       "mesh",    "deform", "pull",
                                   "reset",  "repair", "holes",      "query",   "step",   "end_simulation",
                                   "save",   "load",   "set_report", "simulate"};
const char* const kKinds[] = {"intersect", "self",    "contain", "scene", "depth",
                              "distance",  "closest", "layers",  "times"};
const char* const kMembers[] = {"id",       "a",       "b",       "ids",    "points", "points_of", "points_in_box",
                                "name",     "file",    "faces",   "pose",   "poses",  "positions", "vertices",
                                "vertex",   "to",      "radius",  "done",   "view",   "report",    "most_faces",
                                "want",     "options", "engines", "rounds", "split",  "count",     "directions",
                                "contacts", "self",    "seed"};
constexpr const char* kOptions[] = {"min_thickness", "max_crossings", "as_is",     "around_points", "box",
                                    "cell",          "screen",        "views",     "normals",       "threshold",
                                    "max_contacts",  "self",          "directions"};

class Forger {
 public:
  explicit Forger(std::uint32_t seed) : random_(seed) {}

  Json value(session::PacketWriter& writer, int depth = 0) {
    switch (below(depth > 3 ? 8 : 12)) {
      case 0:
        return nullptr;
      case 1:
        return true;
      case 2:
        return -1;
      case 3:
        return below(4);
      case 4:
        return 1e300;
      case 5:
        return 0.5;
      case 6:
        return "software";
      case 7:
        return Json{{"array", below(4)}, {"type", "f32"}, {"count", below(30)}};
      case 8:
        return writer.add(std::vector<Vec3>(below(10), {0, NAN, 1e30f}));
      case 9:
        return writer.add(std::vector<std::uint32_t>(below(10), 7u));
      case 10: {
        Json list = Json::array();
        for (std::size_t i = below(8); i > 0; --i) list.push_back(value(writer, depth + 1));
        return list;
      }
      default: {
        Json object = Json::object();
        for (std::size_t i = below(4); i > 0; --i)
          object[kMembers[below(std::size(kMembers))]] = value(writer, depth + 1);
        return object;
      }
    }
  }
  Json request(session::PacketWriter& writer) {
    Json out{{"op", kOperations[below(std::size(kOperations) - 1)]}, {"kind", kKinds[below(std::size(kKinds))]}};
    for (const char* member : kMembers)
      if (below(3) == 0) out[member] = value(writer);
    out["a"] = out["id"] = below(4);
    out["b"] = below(4);
    out["options"] = below(4) == 0 ? value(writer) : Json{{"resolution", 8}, {"threads", 1}};
    if (out["options"].is_object() && below(2) == 0)
      out["options"][kOptions[below(std::size(kOptions))]] = value(writer);
    out["faces"] = below(3) == 0 ? value(writer) : Json(100);
    out["directions"] = 2;
    out["count"] = 1;
    return out;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  std::mt19937 random_;
};

TEST(HostileRequests, AlwaysGetAReply) {
  Forger forger(5);
  Conversation talk({.threads = 1});
  for (int i = 0; i < 3'000; ++i) {
    if (i % 100 == 0) talk.ask({{"op", "model"}, {"name", "box"}});
    const Json request = forger.request(talk.writer);
    const Reply reply = talk.send(request);
    EXPECT_TRUE(reply.packet.json.is_object()) << request;
  }
}

TEST(HostileRequests, ThatAreNoPacketsGetAnError) {
  Conversation talk;
  EXPECT_NE(talk.send_bytes({}).error(), "");
  std::mt19937 random(1);
  for (int i = 0; i < 1'000; ++i) {
    session::Bytes bytes(random() % 100);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    if (bytes.size() > 4) std::memcpy(bytes.data(), "LMP1", 4);
    EXPECT_NE(talk.send_bytes(bytes).error(), "");
  }
}

TEST(HostileRequests, WithEveryByteChangedStillGetAReply) {
  Conversation talk;
  session::PacketWriter writer;
  Json request{{"op", "open"}, {"name", "a.ply"}};
  request["file"] = writer.add(ply_of(make_box({0, 0, 0}, {1, 1, 1})));
  session::Bytes bytes;
  writer.finish(request, bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    session::Bytes changed = bytes;
    changed[i] ^= std::byte{0x41};
    EXPECT_TRUE(talk.send_bytes(changed).packet.json.is_object());
  }
}

TEST(HostileRequests, AreWrittenBackAsValidJson) {
  Conversation talk;
  const Json file = talk.writer.add(std::vector<std::uint8_t>(3));
  const std::string name = "\x01\xe2\x80\xae<b>.ply";
  EXPECT_NE(talk.refused({{"op", "open"}, {"name", name}, {"file", file}}), "");
}

}  // namespace
}  // namespace lamella::test
