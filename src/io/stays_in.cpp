#include <algorithm>
#include <system_error>

#include "lamella/file.hpp"

namespace lamella {

namespace fs = std::filesystem;

bool stays_in(const fs::path& folder, const fs::path& name) {
  if (name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end()) return false;
  std::error_code failure, other_failure;
  const fs::path home = fs::canonical(folder.empty() ? "." : folder, failure);
  const fs::path file = fs::weakly_canonical(home / name, other_failure);
  return !failure && !other_failure &&
         std::mismatch(home.begin(), home.end(), file.begin(), file.end()).first == home.end();
}

}  // namespace lamella
