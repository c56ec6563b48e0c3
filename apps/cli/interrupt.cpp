#include "cli/interrupt.hpp"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <csignal>

#include "cli/common.hpp"

namespace lamella::cli {
namespace {

constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};

std::atomic<int> came = 0;  // a thread that works may ask, too
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler sets it");
std::array<struct sigaction, kSignals.size()> before;

void note_signal(int number) {
  came = number;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (before[i].sa_handler != SIG_IGN) std::signal(kSignals[i], SIG_DFL);
  }
}

}  // namespace

Interrupt::Interrupt() {
  came = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // files that are being written are written on
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
}

int Interrupt::signal() const { return came; }

int Interrupt::status(int status, std::uint64_t done, std::uint64_t total, std::string_view noun) const {
  const int number = came;
  if (number == 0) return status;
  complain(fmt::format("stopped by {} after {} of {}; what was done is written",
                       number == SIGINT ? "Ctrl-C" : "a signal (SIGTERM)", grouped(done), counted(total, noun)));
  return 128 + number;
}

}  // namespace lamella::cli
