#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/opengl/egl.hpp"
#include "engines/opengl/gl.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {

/// Name and limits of a device.
struct DeviceFacts {
  std::string platform, renderer, version;
  bool software = false;               ///< a CPU does the drawing: not faster than the software engine
  std::int32_t max_image = 0;          ///< columns or rows
  std::int32_t max_layers = 0;         ///< of an image array
  std::int64_t max_storage_bytes = 0;  ///< of one buffer that shaders write
  std::int32_t subpixel_bits = 0;
};

/// One line of text for users.
[[nodiscard]] std::string describe(const DeviceFacts& facts);

/// The devices on which a context can be made, in the order of displays(); tested on first use, once per process. If
/// there are none, `why` says what is missing.
struct Devices {
  std::vector<DeviceFacts> facts;
  std::vector<EGLDisplay> displays;  ///< parallel to `facts`
  std::string why;
};
[[nodiscard]] const Devices& devices();

/// Returns the number of the device, or of the first when not given. Throws Error (device) when it does not exist.
unsigned check_device(std::optional<unsigned> device);

/// The Error for `what` (in the plural) that needs a larger buffer than the driver allows.
[[nodiscard]] Error storage_error(const DeviceFacts& facts, const std::string& what, std::uint64_t bytes);

/// The driver reset the context: everything on the GPU is lost.
struct ContextLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An OpenGL 4.5 core context without a window. It is current on a thread only within a Current scope.
class Context {
 public:
  /// Throws Error (device) when there is no such device or it fails.
  explicit Context(std::optional<unsigned> device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Gl& gl() const { return gl_; }
  [[nodiscard]] const DeviceFacts& facts() const { return facts_; }
  /// For tests of the behaviour at a driver's limits.
  void pretend(const DeviceFacts& facts) { facts_ = facts; }

  /// Throws ContextLost when the context was lost, and Error when a command failed. `doing` describes the work, for the
  /// message.
  void check(const char* doing);
  /// Call when the context cannot be made current any more. From then on its objects delete nothing, since their names
  /// could belong to another context. They are freed with the context.
  void abandon();
  /// For tests: acts as if the driver had reset the device.
  void lose() { lost_ = true; }

 private:
  friend class Current;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  Gl gl_;
  DeviceFacts facts_;
  bool lost_ = false;
};

/// Makes a context current on this thread, and restores the previous one at the end of the scope.
class Current {
 public:
  explicit Current(Context& context);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  EGLDisplay ours_;
  EGLenum api_;
  EGLContext context_;
  EGLDisplay display_;
  EGLSurface draw_, read_;
};

}  // namespace lamella::opengl
