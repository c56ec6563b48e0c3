#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lamella/error.hpp"
#include "picture/film.hpp"

namespace lamella::picture {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const char* name) {
  try {
    (void)make_film(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FilmAbsent, SaysWhatIsMissingAndWhatToDo) {
  EXPECT_THAT(refusal("a.gif"), AllOf(HasSubstr("'a.gif'"), HasSubstr("libgif-dev"), HasSubstr("name it .png")));
  EXPECT_THAT(refusal("a.webm"), AllOf(HasSubstr("'a.webm'"), HasSubstr("libvpx-dev"), HasSubstr("name it .png")));
}

}  // namespace
}  // namespace lamella::picture
