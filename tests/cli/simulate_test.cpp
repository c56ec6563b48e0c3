#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "cli/program.hpp"

namespace lamella::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SimulateCommand : public Program {
 protected:
  /// A simulation small enough for a test, with more arguments.
  [[nodiscard]] Outcome simulate(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"simulate", "cube", "--objects", "4", "--frames", "20", "--cell", "0.04"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  [[nodiscard]] std::string refusal(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("lamella: "));
    return outcome.err;
  }
};

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

/// The columns before the milliseconds.
std::string repeatable(const std::string& csv) {
  std::string text;
  const auto rows = cells_of(csv);
  if (rows.empty()) return text;
  const auto state = std::find(rows[0].begin(), rows[0].end(), "state");
  const auto columns = static_cast<std::size_t>(state - rows[0].begin()) + 1;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::min(columns, row.size()); ++i) text += row[i] + ",";
    text += "\n";
  }
  return text;
}

TEST_F(SimulateCommand, WritesACsvWithALineForEachFrame) {
  const Outcome outcome = simulate({"--csv", at("cube.csv")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "") << "no bar in a pipe";
  const std::string csv = content(at("cube.csv"));
  EXPECT_THAT(csv, StartsWith("frame,time,objects,candidates,pairs,points,contacts,state,broad_ms,place_ms,ldi_ms,"
                              "pairs_ms,points_ms,contacts_ms,response_ms,total_ms\n"));
  const auto rows = cells_of(csv);
  ASSERT_EQ(rows.size(), 21u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 16u);
    EXPECT_EQ(rows[i][0], std::to_string(i));
    EXPECT_EQ(rows[i][2], "4");
    double sum = 0;
    for (std::size_t c = 8; c < 15; ++c) sum += std::stod(rows[i][c]);
    EXPECT_NEAR(std::stod(rows[i][15]), sum, 1e-3);
  }
  EXPECT_EQ(rows[6][1], "0.100000") << "sixty frames a second";
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(SimulateCommand, IsTheSameToTheBitInEveryRunAndForAnyNumberOfThreads) {
  const auto csv = [&](const std::string& threads) {
    EXPECT_EQ(simulate({"--csv", at("cube.csv"), "--engine", "software", "--threads", threads}).status, 0);
    return repeatable(content(at("cube.csv")));
  };
  const std::string once = csv("1");
  EXPECT_EQ(csv("1"), once);
  EXPECT_EQ(csv("2"), once);
  const auto rows = cells_of(once);
  EXPECT_NE(rows[1][7], rows[20][7]) << "something moves";
}

TEST_F(SimulateCommand, AnotherSeedIsAnotherSimulation) {
  const auto state = [&](const std::string& seed) { return simulate({"--seed", seed, "--json"}).json()["state"]; };
  EXPECT_NE(state("1"), state("2"));
  EXPECT_EQ(state("2"), state("2"));
}

TEST_F(SimulateCommand, EndsWithASummary) {
  const Outcome outcome = simulate({});
  EXPECT_THAT(outcome.out, StartsWith("simulation    cube, 4 objects, 20 frames (0.33 s)\n"));
  for (const char* words :
       {"median", "max", "pairs", "points", "ms broad phase", "ms sampling", "ms response", "ms total"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
  const auto json = simulate({"--json"}).json();
  expect_keys(json,
              {"query", "simulation", "frames", "objects", "state", "candidates", "pairs", "points", "contacts", "ms"});
  EXPECT_EQ(json["query"], "simulate");
  EXPECT_EQ(json["frames"], 20);
  EXPECT_EQ(json["objects"], 4);
  expect_keys(json["ms"], {"broad", "place", "ldi", "pairs", "points", "contacts", "response", "total"});
  expect_keys(json["ms"]["total"], {"median", "max"});
}

TEST_F(SimulateCommand, DrawsOneAnimatedPicture) {
  EXPECT_EQ(simulate({"--picture", at("cube.png"), "--size", "80x60", "--every", "10"}).status, 0);
  const std::string bytes = content(at("cube.png"));
  EXPECT_THAT(bytes, StartsWith("\x89PNG\r\n"));
  const std::size_t control = bytes.find("acTL");
  ASSERT_NE(control, std::string::npos);
  EXPECT_EQ(bytes.substr(control + 4, 4), std::string("\0\0\0\3", 4)) << "the start, frame 10 and frame 20";
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\0\x50\0\0\0\x3c", 8)) << "80 x 60";
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(SimulateCommand, DrawsNumberedPicturesIntoAFolder) {
  EXPECT_EQ(simulate({"--frames-dir", at("frames"), "--size", "80x60", "--every", "8"}).status, 0);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(at("frames"))) {
    names.push_back(entry.path().filename().string());
    EXPECT_THAT(content(entry.path()), StartsWith("\x89PNG\r\n"));
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("frame_000000.png", "frame_000008.png", "frame_000016.png"));
}

TEST_F(SimulateCommand, LeavesNothingBehindWhenItFails) {
  EXPECT_THAT(refusal({"simulate", "cube", "--csv", at("none/cube.csv"), "--picture", at("cube.png")}),
              HasSubstr("none/cube.csv"));
  EXPECT_THAT(refusal({"simulate", "cube", "--picture", at("none/cube.png"), "--csv", at("cube.csv")}),
              HasSubstr("none/cube.png"));
  (void)save_text("file", "");
  EXPECT_THAT(refusal({"simulate", "cube", "--frames-dir", at("file")}), HasSubstr("name a folder"));
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(SimulateCommand, StoppedHasTheFramesSoFarWhole) {
  for (const auto& [number, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const Outcome outcome =
        run_and_signal({"simulate", "cube", "--objects", "4", "--cell", "0.04", "--frames", "1000000", "--csv",
                        at("cube.csv"), "--picture", at("cube.png"), "--size", "80x60", "--json"},
                       number, ".part");
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("lamella: stopped by "), HasSubstr(" of 1,000,000 frames")));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    const auto json = outcome.json();
    const auto rows = cells_of(content(at("cube.csv")));
    ASSERT_GE(rows.size(), 2u);
    EXPECT_EQ(json["frames"], rows.size() - 1);
    EXPECT_EQ(rows.back().size(), 16u);
    EXPECT_EQ(json["state"], rows.back()[7]);
    const std::string bytes = content(at("cube.png"));
    EXPECT_THAT(bytes, StartsWith("\x89PNG\r\n"));
    EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
    EXPECT_EQ(file_count(), 2u) << "no temporary";
  }
}

TEST_F(SimulateCommand, AResolutionThatIsTheDefaultOfScenesCountsAllTheSame) {
  for (const std::string name : {"cube", "ragdoll", "particles", "squeeze", "surgery"}) {
    SCOPED_TRACE(name);
    const auto state = [&](std::vector<std::string> more) {
      std::vector<std::string> arguments{"simulate", name, "--frames", name == "cube" ? "15" : "60", "--json"};
      if (name == "cube") more.insert(more.end(), {"--objects", "60"});
      if (name == "ragdoll") more.insert(more.end(), {"--objects", "1"});
      if (name == "particles") more.insert(more.end(), {"--objects", "2000"});
      if (name == "surgery") more.insert(more.end(), {"--faces", "1000"});
      arguments.insert(arguments.end(), more.begin(), more.end());
      const Outcome outcome = run(arguments);
      return outcome.status == 0 ? outcome.json()["state"].get<std::string>() : outcome.err;
    };
    const std::string own = state({});
    if (own.find("libbullet-dev") != std::string::npos) continue;
    EXPECT_NE(state({"--resolution", "128"}), own);
  }
}

TEST_F(SimulateCommand, RefusesOptionsThatWouldChangeNothing) {
  EXPECT_THAT(refusal({"simulate", "particles", "--engine", "gl-pairs"}),
              AllOf(HasSubstr("--engine: "), HasSubstr("'gl-pairs'"), HasSubstr("automatic or software")));
  EXPECT_THAT(refusal({"simulate", "particles", "--axis", "x"}), HasSubstr("--axis: `simulate particles` has no use"));
  EXPECT_THAT(refusal({"simulate", "particles", "--threshold", "2"}), HasSubstr("--threshold: "));
  EXPECT_THAT(refusal({"simulate", "particles", "--device", "0"}), HasSubstr("--device: "));
  EXPECT_THAT(refusal({"simulate", "particles", "--screen", "0,0,9,60,500"}), HasSubstr("--screen: "));
  EXPECT_THAT(refusal({"simulate", "squeeze", "--screen", "0,0,9,60,500"}), HasSubstr("--screen: "));
  EXPECT_THAT(refusal({"simulate", "squeeze", "--objects", "3"}), HasSubstr("two bodies"));
  EXPECT_THAT(refusal({"simulate", "squeeze", "--engine", "cuda"}), HasSubstr("on the processor only"));
  EXPECT_THAT(refusal({"simulate", "squeeze", "--max-contacts", "3"}), HasSubstr("has no use for it"));
  EXPECT_THAT(refusal({"simulate", "surgery", "--axis", "x"}), HasSubstr("has no use for it"));
  EXPECT_THAT(refusal({"simulate", "surgery", "--objects", "3", "--faces", "1000"}), HasSubstr("tool and an organ"));
  EXPECT_THAT(refusal({"simulate", "surgery", "--faces", "3"}), HasSubstr("whole number from 500"));
  EXPECT_THAT(refusal({"simulate", "squeeze", "--faces", "1000"}), HasSubstr("--faces"));
  EXPECT_THAT(refusal({"simulate", "ragdoll", "--objects", "2001"}), HasSubstr("whole number from 1 to 2000"));
  EXPECT_THAT(run({"simulate", "particles", "--help"}).out,
              AllOf(Not(HasSubstr("--axis")), Not(HasSubstr("--device")), HasSubstr("--cell")));
  EXPECT_EQ(run({"simulate", "particles", "--engine", "software", "--objects", "9", "--frames", "1"}).status, 0);
}

TEST_F(SimulateCommand, OfSoftBodiesHasVolumesEnergyAndForce) {
  const Outcome outcome =
      run({"simulate", "surgery", "--faces", "1000", "--frames", "3", "--csv", at("surgery.csv"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_keys(outcome.json(), {"query", "simulation", "frames", "objects", "state", "candidates", "pairs", "contacts",
                               "shared_volume", "self_volume", "kinetic_energy", "force", "ms"});
  EXPECT_GT(outcome.json()["kinetic_energy"]["max"], 0);
  EXPECT_THAT(content(at("surgery.csv")),
              StartsWith("frame,time,objects,candidates,pairs,contacts,shared_volume,self_volume,kinetic_energy,force,"
                         "state,ldi_ms,contacts_ms,response_ms,total_ms\n1,0.016667,2,"));
}

TEST_F(SimulateCommand, OnGeometryImagesHasFiguresOfItsOwn) {
  const Outcome outcome = run({"simulate", "bunnies", "--objects", "5", "--frames", "3", "--resolution", "33", "--csv",
                               at("bunnies.csv"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_keys(outcome.json(), {"query", "simulation", "frames", "objects", "state", "candidates", "pairs",
                               "sphere_tests", "triangle_tests", "level", "ms"});
  expect_keys(outcome.json()["ms"], {"broad", "pairs", "response", "total"});
  EXPECT_THAT(content(at("bunnies.csv")),
              StartsWith("frame,time,objects,candidates,pairs,sphere_tests,triangle_tests,level,state,broad_ms,"
                         "pairs_ms,response_ms,total_ms\n1,0.016667,5,"));
}

TEST_F(SimulateCommand, OnGeometryImagesRefusesWhatOnlyRaysUse) {
  for (const std::string name : {"bunnies", "helicopter"}) {
    EXPECT_THAT(refusal({"simulate", name, "--engine", "software"}), HasSubstr("has no use for it"));
    EXPECT_THAT(refusal({"simulate", name, "--cell", "0.1"}), HasSubstr("--cell: `simulate " + name));
    EXPECT_THAT(refusal({"simulate", name, "--axis", "x"}), HasSubstr("--axis: "));
    EXPECT_THAT(refusal({"simulate", name, "--resolution", "64"}), HasSubstr("choose 2^n + 1"));
    EXPECT_THAT(run({"simulate", name, "--help"}).out,
                AllOf(Not(HasSubstr("--engine")), Not(HasSubstr("--cell")), HasSubstr("N = 2^n + 1")));
  }
  EXPECT_THAT(refusal({"simulate", "bunnies", "--objects", "513"}), HasSubstr("whole number from 1 to 512"));
  EXPECT_THAT(refusal({"simulate", "helicopter", "--objects", "17"}), HasSubstr("whole number from 1 to 16"));
}

TEST_F(SimulateCommand, RefusesWhatItCannotUse) {
  EXPECT_THAT(refusal({"simulate"}), HasSubstr("subcommand is required"));
  EXPECT_THAT(refusal({"simulate", "cub"}), HasSubstr("'cub' is no subcommand; did you mean cube?"));
  EXPECT_THAT(refusal({"simulate", "cube", "--size", "12"}), HasSubstr("--size: '12' is no size; type WxH"));
  EXPECT_THAT(refusal({"simulate", "cube", "--size", "12x9999"}), HasSubstr("--size: '12' is not a whole number"));
  EXPECT_THAT(refusal({"simulate", "cube", "--frames", "0"}), HasSubstr("whole number from 1"));
  EXPECT_THAT(refusal({"simulate", "cube", "--every", "0"}), HasSubstr("whole number from 1"));
  EXPECT_THAT(refusal({"simulate", "cube", "--objects", "0"}), HasSubstr("whole number from 1"));
  EXPECT_THAT(refusal({"simulate", "cube", "--picture", at("cube.avi")}), HasSubstr(".png"));
  EXPECT_THAT(refusal({"simulate", "cube", "--engine", "gl-lists"}), HasSubstr("automatic, software, cuda, gl-pairs"));
}

TEST_F(SimulateCommand, EverySimulationRunsAndRepeatsToTheBit) {
  for (const std::string name : {"cube", "ragdoll", "particles", "squeeze", "surgery", "bunnies", "helicopter"}) {
    SCOPED_TRACE(name);
    const auto csv = [&](const std::string& threads) {
      const Outcome outcome = run({"simulate", name, "--frames", "6", "--csv", at("a.csv"), "--threads", threads});
      if (outcome.status == 2 && name == "ragdoll") {
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("libbullet-dev"), HasSubstr("LAMELLA_BULLET")));
        return std::string();
      }
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      return repeatable(content(at("a.csv")));
    };
    EXPECT_EQ(csv("1"), csv("2"));
  }
}

TEST_F(SimulateCommand, EverySimulationHasItsHelp) {
  for (const std::string name : {"cube", "ragdoll", "particles", "squeeze", "surgery", "bunnies", "helicopter"}) {
    const Outcome outcome = run({"simulate", name, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Example:\n  lamella simulate " + name), HasSubstr("--csv"),
                                   HasSubstr("--picture"), HasSubstr("--objects")));
  }
}

TEST_F(SimulateCommand, HelicopterKeepsABudgetAndSaysWhichFramesItCutShort) {
  const std::vector<std::string> base{"simulate", "helicopter", "--resolution", "65", "--body", "33", "--frames", "30"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = base;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const Outcome none = with({"--budget", "1ns", "--csv", at("none.csv")});
  EXPECT_THAT(none.out, AllOf(HasSubstr("30 of 30 frames cut short"), HasSubstr("undecided")));
  const auto rows = cells_of(content(at("none.csv")));
  EXPECT_THAT(rows.front(), testing::Contains("cut_short"));
  const auto much = with({"--budget", "100s", "--json"}).json();
  EXPECT_EQ(much["budget"]["ms"], 1e5);
  EXPECT_EQ(much["budget"]["frames_cut_short"], 0);
  EXPECT_GT(much["budget"]["slowest_ms"], 0);
  EXPECT_THAT(refusal({"simulate", "helicopter", "--budget", "5"}), HasSubstr("type a number and its unit"));
  EXPECT_THAT(refusal({"simulate", "helicopter", "--body", "100", "--frames", "1"}), HasSubstr("2^n + 1"));
  EXPECT_THAT(refusal({"simulate", "cube", "--budget", "5ms"}), HasSubstr("--budget"));
}

}  // namespace
}  // namespace lamella::test
