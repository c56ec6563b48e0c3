// What is left when a driver fails midway: an Error now, and right answers afterwards.

#include <gmock/gmock.h>

#include <utility>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/gl_engine.hpp"
#include "registry/automatic.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

/// A driver that has no memory while one of these lives.
class NoMemory {
 public:
  explicit NoMemory(opengl::Context& context) : gl_(const_cast<opengl::Gl&>(context.gl())), true_gl_(gl_) {
    get_error_ = gl_.GetError;
    pending_ = GL_NO_ERROR;
    gl_.NamedBufferData = [](GLuint, GLsizeiptr, const void*, GLenum) { pending_ = GL_OUT_OF_MEMORY; };
    gl_.TextureStorage2D = [](GLuint, GLsizei, GLenum, GLsizei, GLsizei) { pending_ = GL_OUT_OF_MEMORY; };
    gl_.TextureStorage3D = [](GLuint, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) { pending_ = GL_OUT_OF_MEMORY; };
    gl_.MapNamedBufferRange = [](GLuint, GLintptr, GLsizeiptr, GLbitfield) -> void* { return nullptr; };
    gl_.GetError = [] {
      const GLenum error = std::exchange(pending_, GL_NO_ERROR);
      return error != GL_NO_ERROR ? error : get_error_();
    };
  }
  ~NoMemory() { gl_ = true_gl_; }

 private:
  static inline PFNGLGETERRORPROC get_error_ = nullptr;
  static inline GLenum pending_ = GL_NO_ERROR;
  opengl::Gl& gl_;
  opengl::Gl true_gl_;
};

class OpenGlFailures : public test::OpenGlTest {
 protected:
  opengl::Context& context() { return dynamic_cast<opengl::GlEngine&>(*engine_).context(); }
  const Mesh a_ = test::box_mesh({0, 0, 0}, {1, 1, 1}), b_ = test::box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2});
};

TEST_P(OpenGlFailures, AQueryWithoutMemoryIsAnErrorAndTheNextIsAnswered) {
  EXPECT_NEAR(intersect(a_, b_, {.resolution = 16}).volume, 0.125, 1e-5);
  {
    const NoMemory failure(context());
    const Error error = test::error_of([&] { (void)intersect(a_, b_, {.resolution = 300}); });
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), testing::HasSubstr("memory"));
  }
  for (const std::uint32_t resolution : {300u, 16u}) {
    const Overlap o = intersect(a_, b_, {.resolution = resolution});
    EXPECT_NEAR(o.volume, 0.125, 1e-3) << resolution;
    EXPECT_TRUE(o.health.ok());
  }
}

TEST_P(OpenGlFailures, AMeshThatFoundNoMemoryIsNotTakenForAnEmptyOne) {
  (void)intersect(a_, b_);
  {
    const NoMemory failure(context());
    EXPECT_THROW((void)engine_->keep(test::round_sphere(20, 40)), Error);
  }
  Mesh broken = a_;
  broken.positions[0].x = std::numeric_limits<float>::quiet_NaN();
  const auto kept = engine_->keep(a_), other = engine_->keep(b_);
  EXPECT_NEAR(intersect(*kept, *other).volume, 0.125, 1e-5);
  kept->deform(broken.positions);
  kept->deform(a_.positions);
  EXPECT_NEAR(intersect(*kept, *other).volume, 0.125, 1e-5);
}

TEST_P(OpenGlFailures, AContextThatIsAbandonedDeletesNothing) {
  auto kept = engine_->keep(a_);
  opengl::Context mine(std::nullopt);
  context().abandon();
  const opengl::Current scope(mine);
  GLuint buffer = 0;
  mine.gl().CreateBuffers(1, &buffer);
  const GLuint first = buffer;
  for (int i = 0; i < 40; ++i) mine.gl().CreateBuffers(1, &buffer);
  kept.reset();
  engine_.reset();
  GLuint next = 0;
  mine.gl().CreateBuffers(1, &next);
  EXPECT_GT(next, buffer) << "a name between " << first << " and " << buffer << " was freed";
}

TEST_P(OpenGlFailures, VerticesBeyondTheLatticeAreSkippedAndCountedAsByTheReference) {
  const Mesh huge = test::box_mesh({0, 0, 0}, {1e30f, 1e30f, 1e30f});
  const Mesh tiny = test::box_mesh({-1e-12f, -1e-12f, -1e-12f}, {1e-12f, 1e-12f, 1e-12f});
  Overlap expected;
  make_engine({.engine = "reference"})->intersect(huge, tiny, {.resolution = 64}, expected);
  ASSERT_GT(expected.health.skipped_triangles, 0u);
  EXPECT_EQ(intersect(huge, tiny, {.resolution = 64}).health.skipped_triangles, expected.health.skipped_triangles);
}

TEST_P(OpenGlFailures, BrokenTrianglesCountWhereTheRestIsOutOfReach) {
  Mesh far = test::box_mesh({10, 10, 10}, {11, 11, 11});
  Mesh broken = a_;
  for (Vec3& p : broken.positions) p.x = std::numeric_limits<float>::quiet_NaN();
  test::append(far, broken);
  EXPECT_EQ(intersect(far, b_).health.skipped_triangles, 12u);
  Overlap software;
  make_engine({.engine = "software"})->intersect(far, b_, {}, software);
  EXPECT_EQ(software.health.skipped_triangles, 12u);
}

TEST_P(OpenGlFailures, ADeepMeshBeforeDoesNotBurdenAShallowOneAfter) {
  (void)self_intersect(test::stacked_plates(100), {.resolution = 16});
  EXPECT_EQ(self_intersect(a_, {.resolution = 1024}).health.occupied_columns, 1024u * 1024);
}

TEST(KeptMeshes, AreRefusedByEveryEngineThatDidNotMakeThem) {
  if (const std::string why = opengl::unavailable(); !why.empty()) GTEST_SKIP() << why;
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const auto gl = make_engine({.engine = "gl-lists"});
  const auto kept = gl->keep(box);
  SelfOverlap out;
  EXPECT_THROW(make_engine({.engine = "software"})->self_intersect(*kept, {}, out), Error);
  EXPECT_THROW(make_engine({.engine = "reference"})->self_intersect(*kept, {}, out), Error);
  EXPECT_THROW(make_automatic_engine({})->self_intersect(*kept, {}, out), Error);
  const auto automatic = make_automatic_engine({}, opengl::make_lists_engine);
  EXPECT_THROW(automatic->self_intersect(*make_engine({.engine = "software"})->keep(box), {}, out), Error);
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlFailures, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
