// What a depth buffer of 24 bits costs. Its steps are equal from the box's low face to its high face: plates thinner
// than a step merge. A float's steps are finer towards the low face, where the plates are kept apart.

#include "engines/opengl/engines.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

constexpr std::uint32_t kPlates = 64, kColumns = 4;
constexpr double kAll = 2 * kPlates + 2;  // crossings per column
/// Half of the buffer's values span the box, since the other half is kept for "nothing".
constexpr double kStep = 0x1p-23;

struct Kept {
  double crossings = 0;     ///< per column
  double dropped = 0;       ///< per column, as reported
  double volume_error = 0;  ///< relative, of the thin plates
};

class OpenGlPrecision : public test::OpenGlTest {
 protected:
  /// Thin plates with gaps of their thickness just above the low face of a box of depth 1, and a thick one at its end.
  static Kept sample(Engine& engine, float thickness) {
    Mesh mesh = test::stacked_plates(kPlates, thickness);
    test::append(mesh, test::box_mesh({0, 0, 0.875f}, {1, 1, 1}));
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, kColumns, kColumns};
    Ldi ldi;
    engine.build(mesh, grid, ldi);
    EXPECT_TRUE(validate(ldi).well_formed);
    double volume = 0;
    for (const Crossing c : ldi.crossings) volume -= c.sign() * static_cast<double>(c.depth());
    volume *= grid.cell_area();
    constexpr double kEach = 1.0 / (kColumns * kColumns);
    const double exact = static_cast<double>(thickness) * kPlates;
    return {static_cast<double>(ldi.crossings.size()) * kEach, static_cast<double>(ldi.dropped_crossings) * kEach,
            std::abs(volume - 0.125 - exact) / exact};
  }

  std::unique_ptr<Engine> bits24_ = opengl::unavailable().empty() ? opengl::make_coarse_ordered_engine({}) : nullptr;
};

TEST_P(OpenGlPrecision, PlatesOfManyStepsAreKeptByBoth) {
  for (Engine* engine : {engine_.get(), bits24_.get()}) {
    const Kept kept = sample(*engine, static_cast<float>(16 * kStep));
    EXPECT_EQ(kept.crossings, kAll);
    EXPECT_EQ(kept.dropped, 0);
    EXPECT_LT(kept.volume_error, 0.01);
  }
}

TEST_P(OpenGlPrecision, PlatesOfHalfAStepAreKeptByBothButHaveLostTheirVolumeInTheOne) {
  const Kept floats = sample(*engine_, static_cast<float>(kStep / 2)),
             ints = sample(*bits24_, static_cast<float>(kStep / 2));
  EXPECT_EQ(floats.crossings, kAll);
  EXPECT_LT(floats.volume_error, 1e-6);
  EXPECT_GT(ints.volume_error, 0.2);
}

TEST_P(OpenGlPrecision, TwentyFourBitsMergeWhatAFloatKeepsApart) {
  for (const double steps : {1.0 / 8, 1.0 / 32, 1.0 / 128}) {
    SCOPED_TRACE(testing::Message() << steps << " steps");
    const auto thickness = static_cast<float>(steps * kStep);
    const Kept floats = sample(*engine_, thickness), ints = sample(*bits24_, thickness);
    EXPECT_EQ(floats.crossings, kAll);
    EXPECT_EQ(floats.dropped, 0);
    EXPECT_LT(floats.volume_error, 1e-6);
    EXPECT_LT(ints.crossings, kAll / 3);
    EXPECT_EQ(ints.crossings + ints.dropped, kAll) << "the loss is known";
    EXPECT_GT(ints.volume_error, 0.5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlPrecision, testing::Values("gl-ordered"), test::test_name);

}  // namespace
}  // namespace lamella
