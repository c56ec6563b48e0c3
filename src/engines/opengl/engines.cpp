#include "engines/opengl/engines.hpp"

#include "engines/opengl/context.hpp"

namespace lamella::opengl {

std::string unavailable() { return devices().facts.empty() ? devices().why : std::string(); }

std::vector<std::string> device_lines() {
  std::vector<std::string> lines;
  for (const DeviceFacts& facts : devices().facts) lines.push_back(describe(facts));
  return lines;
}

bool is_hardware(std::optional<unsigned> number) {
  const auto& facts = devices().facts;
  const unsigned chosen = number.value_or(0);
  return chosen < facts.size() && !facts[chosen].software;
}

void require_device(unsigned number) { (void)check_device(number); }

}  // namespace lamella::opengl
