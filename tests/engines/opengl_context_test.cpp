// Contexts come and go: loss of the device, several threads, a caller who has a context of his own.

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <thread>

#include "engines/opengl/engines.hpp"
#include "engines/opengl/gl_engine.hpp"
#include "lamella/detector.hpp"
#include "scenes/scenes.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using testing::HasSubstr;

class OpenGlContext : public test::OpenGlTest {
 protected:
  opengl::Context& context() { return dynamic_cast<opengl::GlEngine&>(*engine_).context(); }

  template <class Call>
  void expect_loss(const Call& call) {
    context().lose();
    const Error error = test::error_of(call);
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), HasSubstr("reset"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam()));
  }

  const Mesh a_ = test::box_mesh({0, 0, 0}, {1, 1, 1}), b_ = test::box_mesh({0.5f, 0, 0}, {2, 1, 1});
};

TEST_P(OpenGlContext, ALostDeviceIsAnErrorOnceAndTheNextCallWorks) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
    expect_loss([&] { (void)intersect(a_, b_); });
    EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
    expect_loss([&] { (void)self_intersect(a_); });
    EXPECT_EQ(contains(a_, b_.positions).inside.size(), 8u);
    expect_loss([&] { (void)contains(a_, b_.positions); });
    EXPECT_TRUE(self_intersect(a_).health.ok());
    expect_loss([&] { (void)build(a_, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4}); });
  }
}

TEST_P(OpenGlContext, AKeptMeshIsLostWithTheDeviceUntilItsVerticesAreUpdated) {
  const auto a = engine_->keep(a_), b = engine_->keep(b_);
  EXPECT_NEAR(intersect(*a, *b).volume, 0.5, 1e-6);
  expect_loss([&] { (void)intersect(*a, *b); });
  EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6) << "views";
  for (int i = 0; i < 2; ++i) {
    const Error error = test::error_of([&] { (void)intersect(*a, *b); });
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), HasSubstr("deform"));
  }
  EXPECT_THROW((void)engine_->bounds(*a), Error);
  a->deform(a_.positions);
  EXPECT_THROW((void)intersect(*a, *b), Error) << "the other is still lost";
  b->deform(b_.positions);
  EXPECT_NEAR(intersect(*a, *b).volume, 0.5, 1e-6);
  EXPECT_EQ(a->triangle_count(), 12u);
}

TEST_P(OpenGlContext, LostMeshesAndEnginesGoCleanly) {
  auto a = engine_->keep(a_), b = engine_->keep(b_);
  expect_loss([&] { (void)intersect(*a, *b); });
  a.reset();  // before a new context
  EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
  b.reset();  // after it
  EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
  auto c = engine_->keep(a_);
  context().lose();
  c.reset();
  engine_.reset();
}

std::vector<double> volumes_of_frames(Detector& detector, MeshView rest, MeshView other, std::uint32_t seed) {
  std::vector<double> volumes;
  Mesh moved{{rest.positions.begin(), rest.positions.end()}, {rest.triangles.begin(), rest.triangles.end()}};
  for (int i = 0; i < 20; ++i) {
    scenes::wobble(rest.positions, static_cast<float>(i) / 20, seed, moved.positions);
    volumes.push_back(detector.intersect(moved, other).volume);
  }
  return volumes;
}

TEST_P(OpenGlContext, TwoDetectorsInTwoThreadsAnswerAsEachAlone) {
  const auto [hand, phone] = scenes::hand_and_phone(2400, 900, 0.5f);
  const Options options{.engine = GetParam(), .resolution = 64, .threads = 1};
  std::vector<double> expected[2], got[2];
  for (std::uint32_t i = 0; i < 2; ++i) {
    Detector detector(options);
    expected[i] = volumes_of_frames(detector, hand, phone, i);
  }
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < 2; ++i)
      threads.emplace_back([&, i] {
        Detector detector(options);
        got[i] = volumes_of_frames(detector, hand, phone, i);
      });
  }
  EXPECT_NE(expected[0], expected[1]);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(got[i], expected[i]);
}

TEST_P(OpenGlContext, OneDetectorIsUsedFromOneThreadAfterAnother) {
  auto detector = std::make_unique<Detector>(Options{.engine = GetParam(), .resolution = 32});
  ObjectId a, b;
  const auto in_a_thread = [](const auto& body) { std::jthread thread(body); };
  in_a_thread([&] { a = detector->add(a_); });
  b = detector->add(b_);
  for (int i = 0; i < 3; ++i) {
    in_a_thread([&] { EXPECT_NEAR(detector->intersect(a, b).volume, 0.5, 1e-6); });
    EXPECT_NEAR(detector->intersect(a_, b_).volume, 0.5, 1e-6);
    in_a_thread([&] { detector->deform(a, a_.positions); });
  }
  in_a_thread([&] { detector.reset(); });
}

TEST_P(OpenGlContext, ACallersOwnContextIsStillCurrentAfterwards) {
  const opengl::Egl& egl = opengl::egl();
  EXPECT_EQ(egl.GetCurrentContext(), EGL_NO_CONTEXT);
  EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
  EXPECT_EQ(egl.GetCurrentContext(), EGL_NO_CONTEXT) << "nothing stays current that was not";
  opengl::Context own(std::nullopt);
  const opengl::Current scope(own);
  const EGLContext current = egl.GetCurrentContext();
  ASSERT_NE(current, EGL_NO_CONTEXT);
  const EGLenum api = egl.QueryAPI();
  GLuint texture = 0;
  own.gl().CreateTextures(GL_TEXTURE_2D, 1, &texture);
  EXPECT_NEAR(intersect(a_, b_).volume, 0.5, 1e-6);
  EXPECT_EQ(egl.GetCurrentContext(), current);
  const auto kept = engine_->keep(a_);
  EXPECT_EQ(egl.GetCurrentContext(), current);
  EXPECT_THROW((void)self_intersect(a_, {.resolution = 0}), Error);
  EXPECT_THROW((void)self_intersect(Mesh{a_.positions, {{0, 1, 99}}}), Error);
  EXPECT_EQ(egl.GetCurrentContext(), current) << "after an Error too";
  EXPECT_EQ(egl.QueryAPI(), api);
  EXPECT_EQ(own.gl().GetError(), static_cast<GLenum>(GL_NO_ERROR));
  own.gl().DeleteTextures(1, &texture);
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlContext, test::kOpenGlEngines, test::test_name);

/// Asks EGL itself, in the shortest way there is.
bool egl_gives_a_context() {
  void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  const auto find = reinterpret_cast<PFNEGLGETPROCADDRESSPROC>(dlsym(library, "eglGetProcAddress"));
  if (find == nullptr) return false;
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(find("eglGetPlatformDisplayEXT"));
  const auto initialize = reinterpret_cast<PFNEGLINITIALIZEPROC>(find("eglInitialize"));
  const auto bind = reinterpret_cast<PFNEGLBINDAPIPROC>(find("eglBindAPI"));
  const auto create = reinterpret_cast<PFNEGLCREATECONTEXTPROC>(find("eglCreateContext"));
  const auto destroy = reinterpret_cast<PFNEGLDESTROYCONTEXTPROC>(find("eglDestroyContext"));
  if (get_display == nullptr || initialize == nullptr || bind == nullptr || create == nullptr || destroy == nullptr)
    return false;
  const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (display == EGL_NO_DISPLAY || initialize(display, nullptr, nullptr) != EGL_TRUE) return false;
  bind(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
  const EGLContext context = create(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (context == EGL_NO_CONTEXT) return false;
  destroy(display, context);
  return true;
}

/// Tests of OpenGL skip where the library finds no device: this one does not.
TEST(OpenGlDevices, AreFoundWhereEglGivesAContext) {
  bool given = false;
  std::thread([&] { given = egl_gives_a_context(); }).join();  // what a thread has bound ends with it
  if (!given) GTEST_SKIP() << "EGL gives no OpenGL 4.5 context without a window";
  EXPECT_EQ(opengl::unavailable(), "");
  const opengl::Devices& found = opengl::devices();
  ASSERT_FALSE(found.facts.empty());
  EXPECT_EQ(found.displays.size(), found.facts.size());
  EXPECT_TRUE(found.why.empty());
  EXPECT_EQ(found.facts.back().platform, "surfaceless");
  const auto lines = opengl::device_lines();
  ASSERT_EQ(lines.size(), found.facts.size());
  bool software_before = false;
  for (unsigned i = 0; i < lines.size(); ++i) {
    const opengl::DeviceFacts& facts = found.facts[i];
    EXPECT_EQ(lines[i], opengl::describe(facts));
    EXPECT_TRUE(facts.software || facts.renderer.find("llvmpipe") == std::string::npos) << facts.renderer;
    EXPECT_FALSE(facts.software && facts.renderer.find("NVIDIA") != std::string::npos) << facts.renderer;
    EXPECT_EQ(opengl::is_hardware(i), !facts.software);
    EXPECT_TRUE(facts.software || !software_before || facts.platform == "surfaceless") << "real devices come first";
    software_before = software_before || facts.software;
    EXPECT_EQ(opengl::check_device(i), i);
    EXPECT_NO_THROW(opengl::require_device(i));
  }
  const auto count = static_cast<unsigned>(lines.size());
  EXPECT_EQ(opengl::check_device(std::nullopt), 0u);
  EXPECT_EQ(opengl::is_hardware(std::nullopt), opengl::is_hardware(0));
  EXPECT_FALSE(opengl::is_hardware(count));
  const Error error = test::error_of([&] { opengl::require_device(count); });
  EXPECT_EQ(error.kind(), Error::Kind::device);
  EXPECT_THAT(error.what(), HasSubstr("there is no graphics device " + std::to_string(count)));
  EXPECT_THAT(error.what(), HasSubstr(count == 1 ? "the only one, 0" : "0 to " + std::to_string(count - 1)));
}

}  // namespace
}  // namespace lamella
