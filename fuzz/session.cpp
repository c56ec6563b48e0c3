// Any bytes as what a page says to a session. Bytes that begin as a packet are one request; others are requests in
// JSON, a line each, and behind a zero byte the array that they have.

#include "session/session.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "input.hpp"
#include "lamella/error.hpp"
#include "session/packet.hpp"

namespace lamella::fuzz {
namespace {

using session::Bytes;
using session::Json;
using session::PacketWriter;

constexpr int kMostRequests = 8;
constexpr std::uint32_t kMost = 12;  ///< of columns, faces, rounds …: a run must be short

Json read(std::span<const std::byte> reply) {
  const session::Packet packet = session::read_packet(reply);
  if (packet.json.contains("error")) {
    const auto message = packet.json["error"]["message"].get<std::string>();
    require(!message.empty() && message.find('\n') == std::string::npos, "an error is one line");
  }
  return packet.json;
}

Json call(session::Session& session, const Json& json, std::span<const std::byte> file = {}) {
  PacketWriter writer;
  for (const auto type : {session::NumberType::u8, session::NumberType::f32, session::NumberType::u32})
    (void)writer.add_bytes(file, type, nullptr);
  Bytes packet;
  writer.finish(json, packet);
  return read(session.call(packet));
}

/// Numbers that say how much work there is become small, and what takes long is left out. False: not to be asked.
bool tame(Json& json) {
  constexpr std::string_view kAmounts[] = {"resolution", "solid_resolution", "faces",   "most_faces", "rounds",
                                           "directions", "points_in_box",    "threads", "count",      "array"};
  constexpr std::string_view kLong[] = {"hello", "simulate", "step", "times"};
  if (json.is_string())
    return std::find(std::begin(kLong), std::end(kLong), json.get_ref<const std::string&>()) == std::end(kLong);
  if (!json.is_structured()) return true;
  for (auto it = json.begin(); it != json.end(); ++it) {
    if (!tame(*it)) return false;
    if (!json.is_object() || !it->is_number()) continue;
    const bool amount = std::find(std::begin(kAmounts), std::end(kAmounts), it.key()) != std::end(kAmounts);
    if (amount && it->get<double>() > kMost) *it = kMost;
  }
  return true;
}

/// A request leaves the objects as they were when it is refused.
void ask(session::Session& session, Json request, std::span<const std::byte> file) {
  if (!request.is_object() || !tame(request)) return;
  request["options"]["threads"] = 1;
  if (!request["options"].contains("resolution")) request["options"]["resolution"] = kMost;
  request["directions"] = 2;
  const Json before = call(session, {{"op", "state"}})["objects"];
  if (!call(session, request, file).contains("error")) return;
  require(call(session, {{"op", "state"}})["objects"] == before, "what is refused changes nothing");
}

void ask_lines(session::Session& session, std::string_view text, std::span<const std::byte> file) {
  for (int i = 0; i < kMostRequests && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Json request = Json::parse(text.substr(0, end), nullptr, false);
    if (request.is_object() && (!request.contains("options") || request["options"].is_object()))
      ask(session, std::move(request), file);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Objects as a session tells of them. What it counted of a mesh that was deformed is of the mesh as it was read, until
/// it is saved and read again.
Json comparable(Json objects) {
  for (Json& object : objects)
    if (object["deformed"] == true)
      for (const char* counted : {"closed", "boundary_edges", "nonmanifold_edges", "inconsistent_edges", "open_edges",
                                  "holes", "inside_out_components", "degenerate_triangles", "components"})
        object.erase(counted);
  return objects;
}

/// What is saved is the same again when it is loaded.
void save_and_load(session::Session& session) {
  const Json before = call(session, {{"op", "state"}});
  PacketWriter writer;
  Bytes packet;
  writer.finish({{"op", "save"}}, packet);
  const auto reply = session.call(packet);
  const Bytes kept(reply.begin(), reply.end());
  const session::Packet saved = session::read_packet(kept);
  require(!saved.json.contains("error"), "a session can be saved");
  session::Session other({.threads = 1});
  const Json after =
      call(other, {{"op", "load"}, {"file", {{"array", 0}, {"type", "u8"}, {"count", saved.arrays[0].size()}}}},
           saved.arrays[0]);
  require(comparable(after["objects"]) == comparable(before["objects"]) && after["view"] == before["view"],
          "what is loaded is what was saved");
}

bool is_packet(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), "LMP1", 4) == 0;
}

void run(std::span<const std::byte> bytes) {
  session::Session session({.threads = 1, .most_bytes = 4096});
  (void)call(session, {{"op", "model"}, {"name", "box"}});
  (void)call(session, {{"op", "model"}, {"name", "sphere"}, {"faces", 20}, {"pose", {0.5, 0, 0, 0, 0, 0, 1}}});
  if (is_packet(bytes)) {
    try {
      session::Packet packet = session::read_packet(bytes);
      if (!tame(packet.json)) return;
    } catch (const Error&) {  // the session says the same
    }
    (void)read(session.call(bytes));
    return;
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const auto zero = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), std::byte{0}) - bytes.begin());
  const auto file = zero < bytes.size() ? bytes.subspan(zero + 1) : std::span<const std::byte>();
  ask_lines(session, {text, zero}, file);
  save_and_load(session);
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lamella::fuzz::run(std::as_bytes(std::span(data, size)));
  return 0;
}
