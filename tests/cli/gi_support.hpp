#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "cli/program.hpp"
#include "lamella/geometry_image_io.hpp"
#include "scenes/models.hpp"

// What the tests of `lamella gi` share.

namespace lamella::test {

inline constexpr std::size_t kFaces = 1000;

class Gi : public Program {
 protected:
  /// Fails with status 2, a message with these words, and nothing else.
  void expect_refusal(const std::vector<std::string>& arguments, const std::string& words) const {
    const std::size_t files = file_count();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, testing::AllOf(testing::StartsWith("lamella: "), testing::HasSubstr(words)));
    EXPECT_EQ(file_count(), files) << "something was left behind";
  }

  /// A file with an image of a sphere about the origin; its poles along z are vertices of it.
  [[nodiscard]] std::string save_sphere(const std::string& name, float radius = 1, int n = 4) const {
    write_images(at(name), {image_of_sphere(n, {}, radius)});
    return at(name);
  }
  /// A sphere pressed flat: a fifth as high as it is wide.
  [[nodiscard]] std::string save_disc(const std::string& name) const {
    GeometryImage disc = image_of_sphere(4);
    disc.normals.clear();
    for (Vec3& p : disc.positions) p.z *= 0.2f;
    write_images(at(name), {disc});
    return at(name);
  }
  /// The answer in JSON.
  [[nodiscard]] nlohmann::ordered_json collide(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"gi", "collide", "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all).json();
  }
};

inline std::pair<unsigned, unsigned> png_size(const std::string& path) {
  const std::string bytes = content(path);
  if (bytes.size() < 24 || !bytes.starts_with("\x89PNG\r\n")) return {};
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

}  // namespace lamella::test
