#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/opengl/session.hpp"
#include "lamella/error.hpp"
#include "lamella/grid.hpp"

namespace lamella::opengl {

/// Base of everything that runs on a device: a context from the first call on, and recovery from its loss.
class GlDevice {
 public:
  /// `name` is for messages. Throws Error (device) when there is no such device.
  GlDevice(std::string name, std::optional<unsigned> device, unsigned threads);
  virtual ~GlDevice();

  /// For tests of the behaviour at a driver's limits and after its failure.
  [[nodiscard]] Context& context() { return session_->context; }

 protected:
  /// Runs `body(Session&)` with the context current. If the context is lost meanwhile, all objects on the device are
  /// dropped, the caller gets an Error, and the next call starts again.
  template <class Body>
  auto on_device(const Body& body) {
    try {
      if (!session_) start();
      const Current scope(session_->context);
      clear_errors(session_->context.gl());  // of an earlier call, which has reported them
      return body(*session_);
    } catch (const ContextLost& loss) {
      recover(loss);
    }
  }

  /// Throws Error when the device's images are smaller than the grid.
  void check_grid(const Grid& grid);

  /// Make and drop the objects kept on the device. Called with the context current.
  virtual void begin(Session& session) = 0;
  virtual void end() = 0;
  /// What the caller has to do after a loss; appended to the Error's message.
  [[nodiscard]] virtual std::string after_loss() const { return {}; }
  /// Must be called by the destructor of the most derived class, while its members still exist.
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
