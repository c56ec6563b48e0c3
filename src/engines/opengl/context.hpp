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

/// What a device is and how much it allows.
struct DeviceFacts {
  std::string platform, renderer, version;
  bool software = false;               ///< a CPU does the drawing: no gain over the software engine
  std::int32_t max_image = 0;          ///< columns or rows
  std::int32_t max_layers = 0;         ///< of an array of images
  std::int64_t max_storage_bytes = 0;  ///< of one buffer that shaders write
  std::int32_t subpixel_bits = 0;
};

/// One line for people.
[[nodiscard]] std::string describe(const DeviceFacts& facts);

/// The devices on which a context can be made, in the order of displays(); tried on first use, once for the process.
/// With none, `why` says what is missing.
struct Devices {
  std::vector<DeviceFacts> facts;
  std::vector<EGLDisplay> displays;  ///< parallel to `facts`
  std::string why;
};
[[nodiscard]] const Devices& devices();

/// Its number, or that of the first. Throws Error (device) when there is none.
unsigned check_device(std::optional<unsigned> device);

/// That `what` (in the plural) would need more than one buffer may have.
[[nodiscard]] Error storage_error(const DeviceFacts& facts, const std::string& what, std::uint64_t bytes);

/// The driver gave the context up: all that was on the GPU is gone.
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
  /// For tests of what happens at a driver's limits.
  void pretend(const DeviceFacts& facts) { facts_ = facts; }

  /// Throws ContextLost when the context is, and Error when a command failed; `doing` names what for.
  void check(const char* doing);
  /// When it cannot be made current any more: its objects delete nothing from then on, since their names would be taken
  /// for another context's. They go with the context.
  void abandon();
  /// As if the driver had reset the device.
  void lose() { lost_ = true; }

 private:
  friend class Current;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  Gl gl_;
  DeviceFacts facts_;
  bool lost_ = false;
};

/// Makes a context current on this thread, and puts back what was current before.
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
