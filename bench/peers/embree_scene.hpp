#pragma once

// Embree's scenes of one mesh, refitted or built again when its vertices have moved.

#include <embree3/rtcore.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/works.hpp"

namespace lamella::bench::peers {

struct Device {
  RTCDevice handle = rtcNewDevice("threads=1");

  Device() {
    if (handle == nullptr) throw std::runtime_error("Embree has no device");
  }
  ~Device() { rtcReleaseDevice(handle); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
};

/// One for all scenes; made when the first needs it.
inline RTCDevice device() {
  static const Device kDevice;
  return kDevice.handle;
}

inline std::string version() {
  const auto part = [](RTCDeviceProperty property) { return std::to_string(rtcGetDeviceProperty(device(), property)); };
  return part(RTC_DEVICE_PROPERTY_VERSION_MAJOR) + "." + part(RTC_DEVICE_PROPERTY_VERSION_MINOR) + "." +
         part(RTC_DEVICE_PROPERTY_VERSION_PATCH);
}

enum class Follow { refit, rebuild };

/// A scene of one mesh, robust: rays do not slip through between triangles.
class MeshScene {
 public:
  explicit MeshScene(RTCGeometryType type, Follow follow)
      : scene_(rtcNewScene(device())), geometry_(rtcNewGeometry(device(), type)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(geometry_, follow == Follow::refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_LOW);
  }
  ~MeshScene() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  MeshScene(const MeshScene&) = delete;
  MeshScene& operator=(const MeshScene&) = delete;

  [[nodiscard]] RTCScene scene() const { return scene_; }

 protected:
  void attach() { rtcAttachGeometry(scene_, geometry_); }
  [[nodiscard]] RTCGeometry geometry() const { return geometry_; }
  void commit() {
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }

 private:
  RTCScene scene_;
  RTCGeometry geometry_;
};

/// Triangles for rays. Embree reads 16 bytes at a time: its vertices are a copy with room behind the last.
class TriangleScene : public MeshScene {
 public:
  explicit TriangleScene(const MovingMesh& mesh)
      : MeshScene(RTC_GEOMETRY_TYPE_TRIANGLE, Follow::refit), mesh_(mesh), vertices_(mesh.positions[0].size() + 2) {
    rtcSetSharedGeometryBuffer(geometry(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertices_.data(), 0,
                               sizeof(Vec3), mesh.positions[0].size());
    rtcSetSharedGeometryBuffer(geometry(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles.data(), 0,
                               sizeof(Triangle), mesh.triangles.size());
    attach();
    update(0);
  }
  void update(std::size_t pose) {
    std::copy(mesh_.positions[pose].begin(), mesh_.positions[pose].end(), vertices_.begin());
    rtcUpdateGeometryBuffer(geometry(), RTC_BUFFER_TYPE_VERTEX, 0);
    commit();
  }

 private:
  const MovingMesh& mesh_;
  std::vector<Vec3> vertices_;
};

}  // namespace lamella::bench::peers
