#include "session/conversation.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "cli/program.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::test {

std::string Reply::error() const {
  const auto found = packet.json.find("error");
  return found == packet.json.end() ? "" : found->at("message").get<std::string>();
}

Reply Conversation::send_bytes(std::span<const std::byte> bytes) {
  const auto answer = session_.call(bytes);
  Reply reply{{answer.begin(), answer.end()}, {}};
  reply.packet = session::read_packet(reply.bytes);
  return reply;
}

Reply Conversation::send(const Json& request) {
  session::Bytes bytes;
  std::exchange(writer, {}).finish(request, bytes);
  return send_bytes(bytes);
}

Reply Conversation::ask(const Json& request) {
  Reply reply = send(request);
  EXPECT_EQ(reply.error(), "") << request;
  return reply;
}

std::string Conversation::refused(const Json& request) {
  const std::string error = send(request).error();
  EXPECT_NE(error, "") << request;
  return error;
}

std::uint32_t Conversation::add_model(const std::string& name, std::uint32_t faces) {
  return ask({{"op", "model"}, {"name", name}, {"faces", faces}})["objects"].at(0).at("id");
}

std::uint32_t Conversation::add_mesh(const std::string& name, MeshView mesh) {
  const Json file = writer.add(ply_of(mesh));
  return ask({{"op", "open"}, {"name", name}, {"file", file}})["objects"].at(0).at("id");
}

std::vector<std::uint8_t> ply_of(MeshView mesh) {
  const auto path = std::filesystem::temp_directory_path() / ("lamella_session_" + std::to_string(::getpid()) + ".ply");
  write_mesh(path, mesh);
  const std::string text = content(path);
  std::filesystem::remove(path);
  return {text.begin(), text.end()};
}

Json to_pose(const Transform& pose) {
  const auto& [t, r] = pose;
  return Json::array({t.x, t.y, t.z, r.x, r.y, r.z, r.w});
}

Json timeless(Json answer) {
  answer.erase("ms");
  return answer;
}

}  // namespace lamella::test
