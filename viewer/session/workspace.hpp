#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/coding.hpp"
#include "session/detectors.hpp"
#include "session/objects.hpp"
#include "session/scene_keeper.hpp"
#include "session/session.hpp"
#include "session/simulation.hpp"

namespace lamella::session {

/// What `--html` put in: JSON whose arrays are kept apart. In the JSON, "array" counts in `arrays`.
struct Report {
  Json json;  ///< null: none
  std::vector<Numbers> arrays;
};

/// All that a session keeps from request to request.
struct Workspace {
  SessionOptions options;
  Objects objects;
  Json view;  ///< whatever `set_view` was given last; null: nothing
  Report report;
  Detectors detectors;
  SceneKeeper scenes;
  std::optional<RunningSimulation> simulation;
};

/// Answers one request: adds arrays to `writer`, and returns the reply. Throws Error, and leaves all as it was then.
using Operation = Json (*)(Workspace&, const Request&, PacketWriter&);

// hello.cpp
Json hello(Workspace&, const Request&, PacketWriter&);
Json state(Workspace&, const Request&, PacketWriter&);
Json set_view(Workspace&, const Request&, PacketWriter&);
// open.cpp
Json open(Workspace&, const Request&, PacketWriter&);
Json model(Workspace&, const Request&, PacketWriter&);
Json copy(Workspace&, const Request&, PacketWriter&);
Json remove(Workspace&, const Request&, PacketWriter&);
Json rename(Workspace&, const Request&, PacketWriter&);
Json pose(Workspace&, const Request&, PacketWriter&);
// shapes.cpp
Json mesh(Workspace&, const Request&, PacketWriter&);
Json deform(Workspace&, const Request&, PacketWriter&);
Json pull(Workspace&, const Request&, PacketWriter&);
Json reset(Workspace&, const Request&, PacketWriter&);
Json repair(Workspace&, const Request&, PacketWriter&);
Json holes(Workspace&, const Request&, PacketWriter&);
// queries.cpp
Json query(Workspace&, const Request&, PacketWriter&);
// simulation.cpp
Json simulate(Workspace&, const Request&, PacketWriter&);
Json step(Workspace&, const Request&, PacketWriter&);
Json end_simulation(Workspace&, const Request&, PacketWriter&);
// saved.cpp
Json save(Workspace&, const Request&, PacketWriter&);
Json load(Workspace&, const Request&, PacketWriter&);
Json set_report(Workspace&, const Request&, PacketWriter&);

}  // namespace lamella::session
