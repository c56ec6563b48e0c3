#include "engines/opengl/session.hpp"

#include <cstring>

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
  } catch (const std::exception&) {  // the driver keeps what cannot be given back
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
  const GLsync fence = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  constexpr GLuint64 kSecond = 1'000'000'000;
  while (fence != nullptr && gl.ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kSecond) == GL_TIMEOUT_EXPIRED)
    context.check(doing);  // a reset never signals the fence
  if (fence != nullptr) gl.DeleteSync(fence);
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
