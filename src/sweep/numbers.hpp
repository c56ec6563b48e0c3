#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace lamella::sweep_parts {

/// The fewest digits that give the same number again.
template <class Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  const auto [end, failure] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

}  // namespace lamella::sweep_parts
