// Finds the static shared arrays of all kernels. `__shared__` puts each into a section of its own, whose name begins
// alike; the program's own file says where its sections are.

#include "internal.hpp"

#include <cstring>
#include <vector>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && UINTPTR_MAX == 0xffffffffffffffff
#include <elf.h>
#include <link.h>

#include <fstream>
#include <string_view>
#define CUDA_EMULATION_FINDS_SHARED 1
#endif

namespace cuda_emulation {

#if defined(CUDA_EMULATION_FINDS_SHARED)

namespace {

struct Range {
  void* begin;
  std::size_t bytes;
};

template <class T>
bool read(std::ifstream& file, std::uint64_t at, T* values, std::size_t count) {
  file.seekg(static_cast<std::streamoff>(at));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(count * sizeof(T))));
}

/// How far the program was moved from the addresses in its file.
std::uintptr_t load_address() {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
        return 1;  // the program is the first
      },
      &address);
  return address;
}

/// None when the file is not as expected: then the arrays are left as they are.
std::vector<Range> find_sections() {
  std::vector<Range> found;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  Elf64_Ehdr header{};
  if (!read(file, 0, &header, 1) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return found;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read(file, header.e_shoff, sections.data(), sections.size()) || header.e_shstrndx >= sections.size())
    return found;
  std::vector<char> names(sections[header.e_shstrndx].sh_size + 1);
  if (!read(file, sections[header.e_shstrndx].sh_offset, names.data(), names.size() - 1)) return found;
  const std::uintptr_t base = load_address();
  for (const Elf64_Shdr& section : sections)
    if (section.sh_name < names.size() &&
        std::string_view(names.data() + section.sh_name).starts_with("cuda_emulation_shared."))
      found.push_back({reinterpret_cast<void*>(base + section.sh_addr), section.sh_size});
  return found;
}

}  // namespace

void fill_static_shared() {
  static const std::vector<Range> sections = find_sections();
  for (const Range& section : sections) std::memset(section.begin, kFreshShared, section.bytes);
}

#else

void fill_static_shared() {}

#endif

}  // namespace cuda_emulation
