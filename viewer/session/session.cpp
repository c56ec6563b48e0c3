#include "session/session.hpp"

#include <exception>
#include <new>
#include <utility>

#include "lamella/error.hpp"
#include "session/workspace.hpp"

namespace lamella::session {
namespace {

constexpr std::pair<std::string_view, Operation> kOperations[] = {
    {"hello", hello},       {"state", state},
    {"set_view", set_view}, {"open", open},
    {"model", model},       {"copy", copy},
    {"remove", remove},     {"rename", rename},
    {"pose", pose},         {"mesh", mesh},
    {"deform", deform},     {"pull", pull},
    {"reset", reset},       {"repair", repair},
    {"holes", holes},       {"query", query},
    {"simulate", simulate}, {"step", step},
    {"save", save},         {"end_simulation", end_simulation},
    {"load", load},         {"set_report", set_report},
};

Json answer_to(Workspace& workspace, const Packet& packet, PacketWriter& writer) {
  const Request request(packet, packet.json);
  const std::string name = request.text("op");
  for (const auto& [known, operation] : kOperations)
    if (name == known) return operation(workspace, request, writer);
  throw Error("there is no operation '" + short_name(name) + "'");
}

Json error_json(const char* message) { return {{"error", {{"message", message}}}}; }

}  // namespace

struct Session::State {
  Workspace workspace;
  Bytes reply;

  void refuse(const char* message) { PacketWriter().finish(error_json(message), reply); }

  void answer(std::span<const std::byte> bytes) {
    const Packet packet = read_packet(bytes);
    PacketWriter writer;
    const Json json = answer_to(workspace, packet, writer);
    writer.finish(json, reply);
  }
};

Session::Session(const SessionOptions& options) : state_(std::make_unique<State>()) {
  state_->workspace.options = options;
}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::span<const std::byte> Session::call(std::span<const std::byte> request) {
  try {
    state_->answer(request);
  } catch (const std::bad_alloc&) {
    state_->reply = {};
    state_->refuse("there is not enough memory for this: remove objects, or ask for less");
  } catch (const std::exception& e) {
    state_->refuse(e.what());
  }
  return state_->reply;
}

std::uint32_t Session::add(std::string name, Mesh mesh, nlohmann::ordered_json source, const Transform& pose) {
  Object& object = state_->workspace.objects.add(std::move(name), std::move(mesh), std::move(source));
  object.set_pose({.given = pose, .as_is = true});
  return object.id;
}

}  // namespace lamella::session
