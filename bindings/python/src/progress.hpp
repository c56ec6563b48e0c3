#pragma once

// Progress of long work: a callable (done, total), or True for a bar (lamella/_progress.py). Called without the GIL by
// the thread that made the call; Ctrl-C ends the work there.

#include <functional>

#include "casters.hpp"

namespace lamella::python {

class Progress {
 public:
  /// `given`: None, True or False, or a callable. Make and destroy it with the GIL held.
  Progress(const py::object& given, const char* what) {
    if (!given.is_none()) report_ = py::module_::import("lamella._progress").attr("reporter")(given, what);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (!report_ || report_.is_none() || !py::hasattr(report_, "close")) return;
    try {
      report_.attr("close")();
    } catch (py::error_already_set& e) {
      e.discard_as_unraisable("lamella progress");
    }
  }

  /// For the library; throws what the callable throws, and KeyboardInterrupt.
  [[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> callback() const {
    return [this](std::uint64_t done, std::uint64_t total) {
      const py::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (report_ && !report_.is_none()) report_(done, total);
    };
  }

 private:
  py::object report_;
};

}  // namespace lamella::python
