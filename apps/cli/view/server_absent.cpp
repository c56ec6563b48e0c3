#include "cli/view/server.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

struct ViewServer::State {
  std::string address;
};

ViewServer::ViewServer(std::string, Answer, const ServerOptions&) {
  throw Error("view: this program was built without a server: cpp-httplib was not found (Debian: libcpp-httplib-dev)");
}
ViewServer::~ViewServer() = default;
const std::string& ViewServer::address() const { return state_->address; }
ViewServer::End ViewServer::run(const std::function<bool()>&) { return End::stopped; }

bool has_server() { return false; }

}  // namespace lamella::cli
