// The session and the program give one answer.

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "session/conversation.hpp"

namespace lamella::test {
namespace {

/// Milliseconds and names of meshes differ.
Json comparable(Json answer) {
  answer = timeless(std::move(answer));
  for (const char* name : {"files", "doubts", "names", "pairs_detail", "rows"}) answer.erase(name);
  return answer;
}

class SessionAndProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    a_ = talk_.add_model("hand", 3000);
    b_ = talk_.add_model("phone", 2000);
    talk_.ask({{"op", "pose"}, {"poses", {{b_, pose_}}}});
  }
  Json asked(const char* kind) {
    return comparable(talk_.ask({{"op", "query"}, {"kind", kind}, {"a", a_}, {"b", b_}})["answer"]);
  }
  [[nodiscard]] Json printed(const char* command) const {
    return comparable(run({command, "model:hand:3000", "model:phone:2000", "--pose-b", text_, "--json"}).json());
  }

  const Json pose_{0.01, -0.02, 0.03, 0.1, 0.2, -0.05, 0.9731};
  const std::string text_ = "0.01,-0.02,0.03,0.1,0.2,-0.05,0.9731";
  Conversation talk_;
  std::uint32_t a_ = 0, b_ = 0;
};

TEST_F(SessionAndProgram, AgreeToTheBitOnAPosedPair) { EXPECT_EQ(asked("intersect"), printed("intersect")); }
TEST_F(SessionAndProgram, AgreeOnTheDistance) { EXPECT_EQ(asked("distance"), printed("distance")); }
TEST_F(SessionAndProgram, AgreeOnTheWayOut) { EXPECT_EQ(asked("depth"), printed("depth")); }

TEST_F(SessionAndProgram, AgreeOnAScene) {
  talk_.ask({{"op", "pose"}, {"poses", {{b_, {0, 0, 0, 0, 0, 0, 1}}}}});
  EXPECT_EQ(asked("scene"),
            comparable(run({"scene", "model:hand:3000", "model:phone:2000", "--no-points", "--json"}).json()));
}

TEST_F(SessionAndProgram, AgreeOnSelfOverlap) {
  const std::uint32_t id = talk_.add_model("fist", 3000);
  EXPECT_EQ(comparable(talk_.ask({{"op", "query"}, {"kind", "self"}, {"id", id}})["answer"]),
            comparable(run({"self", "model:fist:3000", "--json"}).json()));
}

}  // namespace
}  // namespace lamella::test
