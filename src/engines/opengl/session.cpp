#include "engines/opengl/session.hpp"

#include <cstring>
#include <memory>
#include <type_traits>

namespace lamella::opengl {
Session::Session(std::optional<unsigned> device, unsigned threads) : context(device), workers(threads) {
  const Current scope(context);
  const Gl& gl = context.gl();
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  staging_.emplace(gl);
}

Session::~Session() {
  try {
    const Current scope(context);
    staging_.reset();
  } catch (const std::exception&) {
    context.abandon();
  }
}

void Session::upload(std::span<const std::byte> data, Buffer& to) {
  upload(data.size(), to, [&](std::size_t begin, std::size_t end, std::byte* target, unsigned) {
    std::memcpy(target, data.data() + begin, end - begin);
  });
}

std::byte* Session::stage(std::size_t bytes) {
  if (staged_ + bytes > staging_->size()) {
    if (staged_ != 0) context.gl().Finish();
    staged_ = 0;
    staging_->reserve(std::min(kStagingChunks * kUploadChunk, 2 * bytes));
  }
  return staging_->data() + staged_;
}

void Session::send(std::size_t bytes, Buffer& to, std::size_t at) {
  context.gl().CopyNamedBufferSubData(staging_->id(), to.id(), static_cast<GLintptr>(staged_),
                                      static_cast<GLintptr>(at), static_cast<GLsizeiptr>(bytes));
  staged_ += bytes;
}

void Session::wait(const char* doing) {
  const Gl& gl = context.gl();
  const auto remove = [&](GLsync sync) { gl.DeleteSync(sync); };
  const std::unique_ptr<std::remove_pointer_t<GLsync>, decltype(remove)> fence(
      gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), remove);
  constexpr GLuint64 kSecond = 1'000'000'000;
  while (fence && gl.ClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, kSecond) == GL_TIMEOUT_EXPIRED)
    context.check(doing);  // a reset never signals the fence
  staged_ = 0;
  context.check(doing);
}

GpuTimer::GpuTimer(const Gl& gl) : gl_(&gl) {
  for (Query& q : marks_) q = make_query(gl, GL_TIMESTAMP);
}

double GpuTimer::between(std::size_t i, std::size_t j) const {
  GLuint64 from = 0, to = 0;
  gl_->GetQueryObjectui64v(marks_[i].id(), GL_QUERY_RESULT, &from);
  gl_->GetQueryObjectui64v(marks_[j].id(), GL_QUERY_RESULT, &to);
  return to > from ? static_cast<double>(to - from) * 1e-6 : 0;
}

}  // namespace lamella::opengl
