#pragma once

// To be included after <charconv>, which includes it where the C++ library lacks these functions.

namespace lamella_compat {

/// As std::from_chars in the general format: correctly rounded.
std::from_chars_result read_number(const char* first, const char* last, float& value);
std::from_chars_result read_number(const char* first, const char* last, double& value);
/// The same, but a number that is too large gives infinity, and one that is too small zero; the error says so for both.
std::from_chars_result read_or_limit(const char* first, const char* last, double& value);
/// As std::to_chars: as few characters as give the number back.
std::to_chars_result write_number(char* first, char* last, float value);
std::to_chars_result write_number(char* first, char* last, double value);

}  // namespace lamella_compat
