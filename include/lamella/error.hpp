#pragma once

#include <stdexcept>
#include <string>

#include "lamella/export.hpp"

namespace lamella {

/// The one exception type of the library. The message names the thing that failed and the remedy.
///
/// Bad geometry (holes, NaN vertices) does not throw: it is reported as Health in the result, unless `strict` is set.
class LAMELLA_API Error : public std::runtime_error {
 public:
  enum class Kind {
    input,   ///< a file, a mesh or an option that cannot be used
    device,  ///< an engine that is missing or a device that failed
  };

  explicit Error(const std::string& message, Kind kind = Kind::input) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

}  // namespace lamella
