#include "cli/html/page.hpp"

namespace lamella::cli {

std::string_view compressed_page() { return {}; }

}  // namespace lamella::cli
