#include "session/coding.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "lamella/error.hpp"
#include "session/compress.hpp"

namespace lamella::session {
namespace {

/// Codes an array into a packet and reads it back.
template <class T>
std::vector<T> there_and_back(const std::vector<T>& numbers, Loss loss, std::string* coding = nullptr) {
  PacketWriter writer;
  Json json;
  json["x"] = add_coded<T>(writer, numbers, loss);
  if (coding != nullptr) *coding = json["x"].value("coding", "");
  Bytes bytes;
  writer.finish(json, bytes);
  const Packet packet = read_packet(bytes);
  return decode_array<T>(packet, packet.json["x"], "x");
}

std::vector<Vec3> some_positions() {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> part(-3, 5);
  std::vector<Vec3> positions(1000);
  for (Vec3& p : positions) p = {part(random), part(random) * 1e-20f, part(random) * 1e20f};
  return positions;
}

TEST(Coding, OfFloatsIsExactToTheBitEvenOfNumbersThatAreNone) {
  std::vector<Vec3> positions = some_positions();
  positions[3] = {std::nanf("1"), -std::numeric_limits<float>::infinity(), -0.0f};
  positions[4] = {0x1p-149f, -0x1.fffffep127f, 0};
  std::string coding;
  const std::vector<Vec3> back = there_and_back(positions, Loss::none, &coding);
  EXPECT_EQ(coding, "floats");
  ASSERT_EQ(back.size(), positions.size());
  EXPECT_EQ(std::memcmp(back.data(), positions.data(), positions.size() * sizeof(Vec3)), 0);
}

TEST(Coding, OfTrianglesIsExact) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {2, 1, 3}, {~0u, 0, ~0u - 1}, {5, 4, 3}};
  std::string coding;
  EXPECT_EQ(there_and_back(triangles, Loss::none, &coding), triangles);
  EXPECT_EQ(coding, "corners");
}

TEST(Coding, InStepsIsOffByAtMostHalfAStep) {
  const std::vector<Vec3> positions = some_positions();
  std::string coding;
  const std::vector<Vec3> back = there_and_back(positions, Loss::steps, &coding);
  EXPECT_EQ(coding, "steps");
  Aabb box;
  for (const Vec3 p : positions) box = extend(box, p);
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(back[i][k], positions[i][k], (double{box.max[k]} - box.min[k]) / 65535 * 0.51);
}

TEST(Coding, OfWhatIsNotFiniteNeedsNoSteps) {
  const std::vector<Vec3> positions{{1, 2, 3}, {HUGE_VALF, 0, 0}};
  EXPECT_EQ(there_and_back(positions, Loss::steps), positions);
}

TEST(Coding, OfNothingAndOfFlatBoxes) {
  EXPECT_TRUE(there_and_back(std::vector<Vec3>{}, Loss::none).empty());
  EXPECT_TRUE(there_and_back(std::vector<Vec3>{}, Loss::steps).empty());
  const std::vector<Vec3> flat{{1, 2, 3}, {1, 4, 3}};
  EXPECT_EQ(there_and_back(flat, Loss::steps), flat);
}

TEST(Coding, ThatDoesNotFitIsRefused) {
  PacketWriter writer;
  const Json array = writer.add(std::vector<std::uint32_t>(6));
  Bytes bytes;
  writer.finish(Json::object(), bytes);
  const Packet packet = read_packet(bytes);
  const auto refuses = [&](const char* member, const Json& value) {
    Json wrong = array;
    wrong[member] = value;
    EXPECT_THROW((void)decode(packet, wrong, "x"), Error) << wrong;
  };
  EXPECT_EQ(decode(packet, array, "x").bytes.size(), 24u);
  refuses("coding", "huffman");
  refuses("coding", "steps");
  refuses("count", 7);
  Json steps{{"array", 0}, {"type", "f32"}, {"count", 12}, {"coding", "steps"}};
  EXPECT_THROW((void)decode(packet, steps, "x"), Error);
  steps["box"] = {0, 0, 0, 1, 1, "1"};
  EXPECT_THROW((void)decode(packet, steps, "x"), Error);
  steps["box"] = {0, 0, 0, 1, 1, 1e300};
  EXPECT_THROW((void)decode(packet, steps, "x"), Error);
  steps["box"] = {0, 0, 0, 1, 1, 1};
  EXPECT_EQ(decode(packet, steps, "x").bytes.size(), 48u);
}

TEST(Files, AreCompressedAndComeBack) {
  Bytes packet(100'000, std::byte{7});
  const Bytes file = to_file(packet);
  EXPECT_LT(file.size(), 1000u);
  EXPECT_EQ(from_file(file), packet);
}

TEST(Files, ThatAreNotCompressedAreTakenAsTheyAre) {
  const Bytes packet(100, std::byte{7});
  EXPECT_EQ(from_file(packet), packet);
}

TEST(Files, CutOffOrDamagedAreRefused) {
  Bytes packet(5'000);
  std::mt19937 random(1);
  for (std::byte& b : packet) b = static_cast<std::byte>(random() % 16);
  const Bytes file = to_file(packet);
  for (std::size_t size = 12; size < file.size(); size += 7)
    EXPECT_THROW((void)from_file(std::span(file).first(size)), Error) << size;
  Bytes damaged = file;
  damaged[file.size() - 1] ^= std::byte{1};
  EXPECT_THROW((void)from_file(damaged), Error) << "the checksum is compared";
  Bytes liar = file;
  liar[4] ^= std::byte{1};
  EXPECT_THROW((void)from_file(liar), Error) << "another length";
  std::memset(liar.data() + 4, 0xff, 8);
  EXPECT_THROW((void)from_file(liar), Error) << "a length that no memory has";
}

}  // namespace
}  // namespace lamella::session
