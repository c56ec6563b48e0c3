// Stands in for bcf.cpp where the program is built without libzip or pugixml.

#include "cli/clash/answer.hpp"
#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {

void write_clash_bcf(const std::filesystem::path& path, const ClashAnswer&) { require_bcf(path); }

void require_bcf(const std::filesystem::path& path) {
  throw Error("cannot write '" + printable(path.string()) +
              "': this program was built without BCF: LAMELLA_BCF was off, or libzip or pugixml (Debian: libzip-dev "
              "libpugixml-dev) was missing; build with them, or use --json or --csv");
}

}  // namespace lamella::cli
