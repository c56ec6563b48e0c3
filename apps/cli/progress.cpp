#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

constexpr double kPatienceMs = 300;
constexpr double kRedrawMs = 50;
constexpr std::size_t kBarWidth = 30;

}  // namespace

Progress::Progress(std::string_view label, bool at_once)
    : label_(printable(label)), patience_ms_(at_once ? 0 : kPatienceMs), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void Progress::update(std::uint64_t done, std::uint64_t total, std::string_view note) {
  const double now = since_start_.ms();
  if (!terminal_ || total == 0 || now < patience_ms_ || (drawn_ && now < drawn_at_ms_ + kRedrawMs)) return;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const std::string full(static_cast<std::size_t>(part * kBarWidth), '#');
  fmt::print(stderr, "\r\033[K{} [{:<{}}] {:3.0f} %{}{}", label_, full, kBarWidth, part * 100, note.empty() ? "" : ", ",
             note);
  std::fflush(stderr);
  drawn_ = true;
  drawn_at_ms_ = now;
}

std::function<void(std::uint64_t, std::uint64_t)> Progress::callback() {
  if (!terminal_) return {};
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace lamella::cli
