// JSON for Modern C++ with small functions in place of those of the C library that it reads and writes numbers with.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>  // before the names below: its inline functions call the C library's

namespace std {
double json_strtod(const char* text, char** end);
unsigned long long json_strtoull(const char* text, char** end, int base);  // base 10; both set errno as the C library's
long long json_strtoll(const char* text, char** end, int base);
/// For the formats %.4X, %04x, %.2hhX and others like them: the last digit says how many digits are written, at most 8,
/// and no number has more. Returns how many letters were written.
int json_snprintf(char* to, size_t size, const char* format, ...);
}  // namespace std

#define strtod json_strtod
#define strtoull json_strtoull
#define strtoll json_strtoll
#define snprintf json_snprintf
#include_next <nlohmann/json.hpp>
#undef strtod
#undef strtoull
#undef strtoll
#undef snprintf
