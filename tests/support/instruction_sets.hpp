#pragma once

#include <hwy/targets.h>

namespace lamella::test {

/// Calls visit() once for every instruction set that this processor has. Returns how many.
template <class Visit>
int for_each_instruction_set(const Visit& visit) {
  int count = 0;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    visit();
    ++count;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  return count;
}

}  // namespace lamella::test
