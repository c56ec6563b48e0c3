#pragma once

#include <gtest/gtest.h>

#include "lamella/error.hpp"

namespace lamella::test {

/// The Error that a call throws; fails the test when it throws none.
template <class Call>
Error error_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "no Error";
  return Error("");
}

}  // namespace lamella::test
