#pragma once

#include "io/support.hpp"

namespace lamella::test {

inline std::string base64(const std::string& data) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < data.size() ? static_cast<unsigned char>(data[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > data.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

/// A glTF document in parts that a test replaces one at a time. The default is one triangle: positions in view 0,
/// 16-bit indices in view 1.
struct GltfParts {
  std::string scenes = R"("scene":0,"scenes":[{"nodes":[0]}])";
  std::string nodes = R"({"mesh":0})";
  std::string primitives = R"({"attributes":{"POSITION":0},"indices":1})";
  std::string accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                             {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"})";
  std::string views = R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6})";
  std::string data = bytes(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f) +
                     bytes(std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{0});
  std::string buffers;  ///< empty: one buffer that holds `data`
  std::string more;     ///< further top-level members, each with a comma before it

  [[nodiscard]] std::string json(const std::string& buffer_uri) const {
    const std::string length = std::to_string(data.size());
    const std::string own =
        R"({"byteLength":)" + length + (buffer_uri.empty() ? "" : R"(,"uri":")" + buffer_uri + '"') + "}";
    return R"({"asset":{"version":"2.0"},)" + scenes + R"(,"nodes":[)" + nodes + R"(],"meshes":[{"primitives":[)" +
           primitives + R"(]}],"accessors":[)" + accessors + R"(],"bufferViews":[)" + views + R"(],"buffers":[)" +
           (buffers.empty() ? own : buffers) + "]" + more + "}";
  }
  [[nodiscard]] std::string gltf() const { return json("data:application/octet-stream;base64," + base64(data)); }
  [[nodiscard]] std::string glb() const {
    std::string text = json("");
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string binary = data;
    binary.resize((binary.size() + 3) / 4 * 4);
    const auto size = [](const std::string& s) { return static_cast<std::uint32_t>(s.size()); };
    return "glTF" + bytes(std::uint32_t{2}, 28 + size(text) + size(binary), size(text)) + "JSON" + text +
           bytes(size(binary)) + std::string("BIN\0", 4) + binary;
  }
};

}  // namespace lamella::test
