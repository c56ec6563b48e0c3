#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/opengl/session.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"

namespace lamella::opengl {

/// What everything that works on a device shares: a context from the first call on, and recovery from its loss.
class GlDevice {
 public:
  /// `name` is for messages. Throws Error (device) when there is no such device.
  GlDevice(std::string name, std::optional<unsigned> device, unsigned threads);
  virtual ~GlDevice();

  /// For tests of what happens at a driver's limits and after its failure.
  [[nodiscard]] Context& context() { return session_->context; }

 protected:
  /// Runs `body(Session&)` with the context current. When the context is lost meanwhile, all that was on the device is
  /// forgotten, the caller gets an Error, and the next call starts afresh.
  template <class Body>
  auto on_device(const Body& body) {
    try {
      if (!session_) start();
      const Current scope(session_->context);
      clear_errors(session_->context.gl());  // of a call before, which has told of them
      return body(*session_);
    } catch (const ContextLost& loss) {
      recover(loss);
    }
  }

  /// Throws Error when the device's images are smaller than the grid.
  void check_grid(const Grid& grid);

  /// Makes and drops what is kept on the device. Called with the context current.
  virtual void begin(Session& session) = 0;
  virtual void end() = 0;
  /// What the caller has to do after a loss, behind what the Error says anyway.
  [[nodiscard]] virtual std::string after_loss() const { return {}; }
  /// To be called by the destructor of the last class, while its own members still are there.
  void stop();

  [[nodiscard]] Error device_error(const std::string& message) const;

 private:
  void start();
  [[noreturn]] void recover(const ContextLost& loss);

  std::string name_;
  std::optional<unsigned> device_;
  unsigned threads_;
  std::unique_ptr<Session> session_;
};

}  // namespace lamella::opengl
