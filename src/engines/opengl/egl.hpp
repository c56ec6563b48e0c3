#pragma once

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <vector>

namespace lamella::opengl {

/// The functions of EGL 1.5 and its extensions that are used here; all null when EGL cannot be loaded.
struct Egl {
  std::string why_not;  ///< empty when loaded

  PFNEGLGETPROCADDRESSPROC GetProcAddress = nullptr;
  PFNEGLQUERYSTRINGPROC QueryString = nullptr;
  PFNEGLGETERRORPROC GetError = nullptr;
  PFNEGLINITIALIZEPROC Initialize = nullptr;
  PFNEGLBINDAPIPROC BindAPI = nullptr;
  PFNEGLQUERYAPIPROC QueryAPI = nullptr;
  PFNEGLCREATECONTEXTPROC CreateContext = nullptr;
  PFNEGLDESTROYCONTEXTPROC DestroyContext = nullptr;
  PFNEGLMAKECURRENTPROC MakeCurrent = nullptr;
  PFNEGLGETCURRENTCONTEXTPROC GetCurrentContext = nullptr;
  PFNEGLGETCURRENTDISPLAYPROC GetCurrentDisplay = nullptr;
  PFNEGLGETCURRENTSURFACEPROC GetCurrentSurface = nullptr;
  // Extensions; null where missing.
  PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplayEXT = nullptr;
  PFNEGLQUERYDEVICESEXTPROC QueryDevicesEXT = nullptr;
  PFNEGLQUERYDEVICESTRINGEXTPROC QueryDeviceStringEXT = nullptr;
};

/// Loaded on first use, once per process.
[[nodiscard]] const Egl& egl();

/// An EGL display: access to a graphics device without a window.
struct Display {
  EGLDisplay handle = EGL_NO_DISPLAY;
  std::string platform;  ///< "device" or "surfaceless", as EGL calls them
};

/// Every display that EGL offers and that can be initialised: real devices first, then software ones, then Mesa's
/// surfaceless platform. Found on first use; never terminated, since EGL shares displays with the rest of the program.
[[nodiscard]] const std::vector<Display>& displays();

}  // namespace lamella::opengl
