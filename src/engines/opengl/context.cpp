#include "engines/opengl/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "engines/opengl/objects.hpp"
#include "lamella/error.hpp"

namespace lamella::opengl {
namespace {

Error device_error(const std::string& message) { return Error(message, Error::Kind::device); }

EGLContext make_context(EGLDisplay display) {
  const Egl& egl = opengl::egl();
  egl.BindAPI(EGL_OPENGL_API);
  const EGLint base[] = {EGL_CONTEXT_MAJOR_VERSION,       4,
                         EGL_CONTEXT_MINOR_VERSION,       5,
                         EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  std::vector<EGLint> attributes(std::begin(base), std::end(base));
  attributes.insert(attributes.end(),
                    {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE});
  EGLContext context = egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
  if (context != EGL_NO_CONTEXT) return context;
  // Not every driver reports resets.
  attributes.assign(std::begin(base), std::end(base));
  attributes.push_back(EGL_NONE);
  return egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
}

/// Returns the name of the first missing function; empty when all were found.
std::string load_functions(Gl& gl) {
  std::string missing;
  const auto load = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(egl().GetProcAddress(name));
    if (function == nullptr && missing.empty()) missing = name;
  };
#define LAMELLA_GL_LOAD(name, NAME) load(gl.name, "gl" #name);
  LAMELLA_GL_FUNCTIONS(LAMELLA_GL_LOAD)
#undef LAMELLA_GL_LOAD
  return missing;
}

bool is_software(const std::string& renderer) {
  for (const char* name : {"llvmpipe", "softpipe", "SWR", "SwiftShader"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

/// Needs a current context.
DeviceFacts read_facts(const Gl& gl, const std::string& platform) {
  const auto text = [&](GLenum name) {
    const GLubyte* value = gl.GetString(name);
    return std::string(value != nullptr ? reinterpret_cast<const char*>(value) : "unknown");
  };
  const auto integer = [&](GLenum name) {
    GLint value = 0;
    gl.GetIntegerv(name, &value);
    return value;
  };
  DeviceFacts facts{.platform = platform, .renderer = text(GL_RENDERER), .version = text(GL_VERSION)};
  facts.software = is_software(facts.renderer);
  GLint viewport[2] = {0, 0};
  gl.GetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  facts.max_image = std::min({integer(GL_MAX_TEXTURE_SIZE), integer(GL_MAX_FRAMEBUFFER_WIDTH),
                              integer(GL_MAX_FRAMEBUFFER_HEIGHT), viewport[0], viewport[1]});
  facts.max_layers = integer(GL_MAX_ARRAY_TEXTURE_LAYERS);
  GLint64 bytes = 0;
  gl.GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  facts.max_storage_bytes = bytes;
  facts.subpixel_bits = integer(GL_SUBPIXEL_BITS);
  return facts;
}

Devices find_devices() {
  Devices found;
  if (!egl().why_not.empty()) {
    found.why = egl().why_not;
    return found;
  }
  std::string failures;
  for (const Display& display : displays()) {
    const EGLContext context = make_context(display.handle);
    Gl gl;
    const std::string missing = context == EGL_NO_CONTEXT ? "" : load_functions(gl);
    if (context == EGL_NO_CONTEXT)
      failures += fmt::format("; {}: no OpenGL 4.5 context (EGL error 0x{:x})", display.platform, egl().GetError());
    else if (!missing.empty())
      failures += fmt::format("; {}: the driver lacks {}", display.platform, missing);
    else if (egl().MakeCurrent(display.handle, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE)
      failures += fmt::format("; {}: the context cannot be made current (EGL error 0x{:x})", display.platform,
                              egl().GetError());
    else {
      found.facts.push_back(read_facts(gl, display.platform));
      found.displays.push_back(display.handle);
      egl().MakeCurrent(display.handle, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    if (context != EGL_NO_CONTEXT) egl().DestroyContext(display.handle, context);
  }
  if (found.facts.empty())
    found.why = fmt::format("no graphics device gives an OpenGL 4.5 context without a window{}",
                            failures.empty() ? "; install its driver, or Mesa (Debian: libgl1-mesa-dri)" : failures);
  return found;
}

}  // namespace

std::string describe(const DeviceFacts& facts) {
  return fmt::format("{}; OpenGL {}; {} platform; images to {} x {}, {} layers; storage to {} MiB; {} sub-pixel bits",
                     facts.renderer, facts.version, facts.platform, facts.max_image, facts.max_image, facts.max_layers,
                     facts.max_storage_bytes >> 20, facts.subpixel_bits);
}

const Devices& devices() {
  // On a separate thread: a context that the caller has current, from EGL or another window system, does not interfere.
  static const Devices& found = *[] {
    auto* devices = new Devices;  // never destroyed, like egl()
    std::thread([&] { *devices = find_devices(); }).join();
    return devices;
  }();
  return found;
}

Error storage_error(const DeviceFacts& facts, const std::string& what, std::uint64_t bytes) {
  return device_error(
      fmt::format("{} need a buffer of {} MiB, and {} allows {} MiB: lower the resolution, or use the "
                  "engine \"software\"",
                  what, (bytes >> 20) + 1, facts.renderer, facts.max_storage_bytes >> 20));
}

unsigned check_device(std::optional<unsigned> device) {
  const Devices& all = devices();
  if (all.facts.empty()) throw device_error(all.why);
  const unsigned chosen = device.value_or(0);
  if (chosen < all.facts.size()) return chosen;
  throw device_error(
      fmt::format("there is no graphics device {}: `lamella engines` lists {}", chosen,
                  all.facts.size() == 1 ? "the only one, 0" : fmt::format("0 to {}", all.facts.size() - 1)));
}

Context::Context(std::optional<unsigned> device) {
  const Devices& all = devices();
  const unsigned chosen = check_device(device);
  display_ = all.displays[chosen];
  facts_ = all.facts[chosen];
  const EGLenum api = egl().QueryAPI();
  context_ = make_context(display_);
  const EGLint failure = context_ == EGL_NO_CONTEXT ? egl().GetError() : 0;
  egl().BindAPI(api);
  if (context_ == EGL_NO_CONTEXT)
    throw device_error(
        fmt::format("{}: no further OpenGL context can be made (EGL error 0x{:x})", facts_.renderer, failure));
  load_functions(gl_);
}

void Context::abandon() {
  const auto nothing = [](GLsizei, const GLuint*) {};
  gl_.DeleteBuffers = gl_.DeleteFramebuffers = gl_.DeleteQueries = gl_.DeleteTextures = gl_.DeleteVertexArrays =
      nothing;
  gl_.DeleteProgram = [](GLuint) {};
}

Context::~Context() { egl().DestroyContext(display_, context_); }

void Context::check(const char* doing) {
  if (!lost_ && gl_.GetGraphicsResetStatus() != GL_NO_ERROR) lost_ = true;
  if (lost_) throw ContextLost(fmt::format("{}: the graphics device was reset while {}", facts_.renderer, doing));
  const GLenum error = gl_.GetError();
  if (error == GL_NO_ERROR) return;
  clear_errors(gl_);
  if (error == GL_OUT_OF_MEMORY)
    throw device_error(fmt::format("{} has no memory left for {}: lower the resolution, or use the engine \"software\"",
                                   facts_.renderer, doing));
  throw device_error(fmt::format("{}: OpenGL error 0x{:x} while {}", facts_.renderer, error, doing));
}

Current::Current(Context& context)
    : ours_(context.display_),
      api_(egl().QueryAPI()),
      context_(egl().GetCurrentContext()),
      display_(egl().GetCurrentDisplay()),
      draw_(egl().GetCurrentSurface(EGL_DRAW)),
      read_(egl().GetCurrentSurface(EGL_READ)) {
  egl().BindAPI(EGL_OPENGL_API);
  if (context_ == context.context_) return;
  if (egl().MakeCurrent(ours_, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context_) == EGL_TRUE) return;
  const EGLint error = egl().GetError();
  egl().BindAPI(api_);
  if (error == EGL_CONTEXT_LOST) throw ContextLost(context.facts_.renderer + ": the graphics device was reset");
  throw device_error(
      fmt::format("{}: the context cannot be made current on this thread (EGL error 0x{:x}); a context from another "
                  "window system may be current on it",
                  context.facts_.renderer, error));
}

Current::~Current() {
  if (context_ == EGL_NO_CONTEXT)
    egl().MakeCurrent(ours_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  else
    egl().MakeCurrent(display_, draw_, read_, context_);
  egl().BindAPI(api_);
}

}  // namespace lamella::opengl
