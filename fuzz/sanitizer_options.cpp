// What the address sanitizer does in every target unless ASAN_OPTIONS says otherwise.

/// Returned stack frames are not kept apart: with that on, every exception costs as much as reading five small files,
/// and most inputs end in one. The tests that replay the seeds switch it on.
extern "C" const char* __asan_default_options();  // NOLINT: the sanitizer chooses the name
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
