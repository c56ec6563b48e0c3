#include "engines/opengl/gl_device.hpp"

#include <fmt/format.h>

namespace lamella::opengl {

GlDevice::GlDevice(std::string name, std::optional<unsigned> device, unsigned threads)
    : name_(std::move(name)), device_(device), threads_(threads) {
  check_device(device_);  // the context itself is made at the first call
}

GlDevice::~GlDevice() = default;

void GlDevice::start() {
  session_ = std::make_unique<Session>(device_, threads_);
  try {
    const Current scope(session_->context);
    begin(*session_);
  } catch (...) {
    stop();  // so that the next call does not find a half-made state
    throw;
  }
}

void GlDevice::stop() {
  if (!session_) return;
  try {
    const Current scope(session_->context);
    end();
  } catch (const std::exception&) {
    session_->context.abandon();
    end();
  }
  session_.reset();
}

void GlDevice::recover(const ContextLost& loss) {
  const std::string what = loss.what();
  stop();
  throw device_error(what + "; all data on it is lost. The next call starts again" + after_loss());
}

Error GlDevice::device_error(const std::string& message) const {
  return Error(fmt::format("{}: {}", name_, message), Error::Kind::device);
}

void GlDevice::check_grid(const Grid& grid) {
  const DeviceFacts& facts = session_->context.facts();
  const auto most = static_cast<std::uint32_t>(facts.max_image);
  if (grid.columns <= most && grid.rows <= most) return;
  throw device_error(
      fmt::format("{} x {} columns are more than the {} x {} that {} allows: lower the resolution, or "
                  "use the engine \"software\"",
                  grid.columns, grid.rows, most, most, facts.renderer));
}

}  // namespace lamella::opengl
