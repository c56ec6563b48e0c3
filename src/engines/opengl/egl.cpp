#include "engines/opengl/egl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace lamella::opengl {
namespace {

constexpr const char* kLibrary = "libEGL.so.1";

template <class Function>
void look_up(const Egl& egl, Function& function, const char* name) {
  function = reinterpret_cast<Function>(egl.GetProcAddress(name));
}

Egl load() {
  Egl egl;
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    egl.why_not = fmt::format(
        "{} cannot be loaded; install a graphics driver, or Mesa (Debian: libegl1 and libgl1-mesa-dri)", kLibrary);
    return egl;
  }
  egl.GetProcAddress = reinterpret_cast<PFNEGLGETPROCADDRESSPROC>(dlsym(library, "eglGetProcAddress"));
  if (egl.GetProcAddress == nullptr) {
    egl.why_not = fmt::format("{} is not an EGL library: it lacks eglGetProcAddress", kLibrary);
    return egl;
  }
  look_up(egl, egl.QueryString, "eglQueryString");
  look_up(egl, egl.GetError, "eglGetError");
  look_up(egl, egl.Initialize, "eglInitialize");
  look_up(egl, egl.BindAPI, "eglBindAPI");
  look_up(egl, egl.QueryAPI, "eglQueryAPI");
  look_up(egl, egl.CreateContext, "eglCreateContext");
  look_up(egl, egl.DestroyContext, "eglDestroyContext");
  look_up(egl, egl.MakeCurrent, "eglMakeCurrent");
  look_up(egl, egl.GetCurrentContext, "eglGetCurrentContext");
  look_up(egl, egl.GetCurrentDisplay, "eglGetCurrentDisplay");
  look_up(egl, egl.GetCurrentSurface, "eglGetCurrentSurface");
  look_up(egl, egl.GetPlatformDisplayEXT, "eglGetPlatformDisplayEXT");
  look_up(egl, egl.QueryDevicesEXT, "eglQueryDevicesEXT");
  look_up(egl, egl.QueryDeviceStringEXT, "eglQueryDeviceStringEXT");
  const bool complete = egl.QueryString != nullptr && egl.GetError != nullptr && egl.Initialize != nullptr &&
                        egl.BindAPI != nullptr && egl.QueryAPI != nullptr && egl.CreateContext != nullptr &&
                        egl.DestroyContext != nullptr && egl.MakeCurrent != nullptr &&
                        egl.GetCurrentContext != nullptr && egl.GetCurrentDisplay != nullptr &&
                        egl.GetCurrentSurface != nullptr;
  // Before EGL 1.5, eglGetProcAddress may find only extensions; from 1.5 on it finds all functions.
  if (!complete) egl.why_not = fmt::format("{} is older than EGL 1.5", kLibrary);
  return egl;
}

bool has(const char* list, std::string_view name) {
  if (list == nullptr) return false;
  const std::string padded = fmt::format(" {} ", list);
  return padded.find(fmt::format(" {} ", name)) != std::string::npos;
}

bool is_software(const Egl& egl, EGLDeviceEXT device) {
  return egl.QueryDeviceStringEXT != nullptr &&
         has(egl.QueryDeviceStringEXT(device, EGL_EXTENSIONS), "EGL_MESA_device_software");
}

std::vector<EGLDeviceEXT> devices(const Egl& egl) {
  EGLint count = 0;
  if (egl.QueryDevicesEXT == nullptr || egl.QueryDevicesEXT(0, nullptr, &count) != EGL_TRUE || count <= 0) return {};
  std::vector<EGLDeviceEXT> found(static_cast<std::size_t>(count));
  if (egl.QueryDevicesEXT(count, found.data(), &count) != EGL_TRUE) return {};
  found.resize(static_cast<std::size_t>(std::max(count, 0)));
  std::stable_partition(found.begin(), found.end(), [&](EGLDeviceEXT d) { return !is_software(egl, d); });
  return found;
}

std::vector<Display> find_displays() {
  const Egl& egl = opengl::egl();
  std::vector<Display> found;
  if (!egl.why_not.empty() || egl.GetPlatformDisplayEXT == nullptr) return found;
  const auto add = [&](EGLenum platform, void* native, const char* name) {
    const EGLDisplay display = egl.GetPlatformDisplayEXT(platform, native, nullptr);
    if (display == EGL_NO_DISPLAY || egl.Initialize(display, nullptr, nullptr) != EGL_TRUE) return;
    const char* extensions = egl.QueryString(display, EGL_EXTENSIONS);
    // A context that needs neither a window nor a configuration.
    if (has(extensions, "EGL_KHR_surfaceless_context") && has(extensions, "EGL_KHR_no_config_context"))
      found.push_back({display, name});
  };
  const char* client = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (has(client, "EGL_EXT_platform_device"))
    for (const EGLDeviceEXT device : devices(egl)) add(EGL_PLATFORM_DEVICE_EXT, device, "device");
  if (has(client, "EGL_MESA_platform_surfaceless")) add(EGL_PLATFORM_SURFACELESS_MESA, nullptr, "surfaceless");
  return found;
}

}  // namespace

const Egl& egl() {
  static const Egl& loaded = *new Egl(load());  // never destroyed: detectors may outlive any static object
  return loaded;
}

const std::vector<Display>& displays() {
  static const auto& found = *new std::vector<Display>(find_displays());
  return found;
}

}  // namespace lamella::opengl
