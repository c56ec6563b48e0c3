#pragma once

namespace lamella {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace lamella
