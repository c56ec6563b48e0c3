#pragma once

namespace lamella::test {

// g++ tells by macros that a sanitizer watches, clang by features.
#if defined(__has_feature)
#define LAMELLA_TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define LAMELLA_TEST_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || LAMELLA_TEST_HAS_FEATURE(address_sanitizer) || \
    LAMELLA_TEST_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace lamella::test
