// The program lamella-bench-peers: `lamella bench peers` with those other libraries that were found when it was built.
// It is a program of its own, and not installed, so that nothing that is installed needs them. CGAL's corefinement,
// point location and tests of polygon meshes are under the GPL: they are linked into this program alone.

#include <CLI/CLI.hpp>

#include "bench/options.hpp"
#include "bench/peers/accuracy.hpp"
#include "bench/peers/certify.hpp"
#include "bench/peers/clash.hpp"
#include "bench/peers/contacts.hpp"
#include "bench/peers/distance.hpp"
#include "bench/peers/exact_points.hpp"
#include "bench/peers/gradient.hpp"
#include "bench/peers/libraries.hpp"
#include "bench/peers/separation.hpp"
#include "cli/common.hpp"

namespace lamella::bench::peers {
namespace {

Libraries libraries() {
  Libraries all;
#ifdef LAMELLA_PEER_EMBREE
  all.found.push_back(embree_peer());
#else
  all.missing.push_back("Embree 3 (Debian: libembree-dev)");
#endif
#ifdef LAMELLA_PEER_CGAL
  all.found.push_back(cgal_peer());
#else
  all.missing.push_back("CGAL (libcgal-dev)");
#endif
#ifdef LAMELLA_PEER_FCL
  all.found.push_back(fcl_peer());
#else
  all.missing.push_back("FCL (libfcl-dev)");
#endif
#ifdef LAMELLA_PEER_BULLET
  all.found.push_back(bullet_peer());
#else
  all.missing.push_back("Bullet (libbullet-dev)");
#endif
#ifdef LAMELLA_PEER_OPENVDB
  all.found.push_back(openvdb_peer());
#else
  all.missing.push_back("OpenVDB (libopenvdb-dev)");
#endif
  return all;
}

void add_points(CLI::App& app, int& status) {
  auto* points = app.add_subcommand("points", "Exact flags of points: differences from CGAL's, and times");
  const auto args = std::make_shared<ExactPointsArgs>();
  points->add_option("--meshes", args->meshes, "A folder of extra meshes with a manifest.json");
  points->add_option("--points", args->points, "In each mesh")->capture_default_str();
  points->add_option("--rounds", args->rounds, "Of the times")->capture_default_str();
  points->callback([args, &status] { status = run_exact_points(*args, libraries()) ? 0 : 1; });
}

void add_distance(CLI::App& app, int& status) {
  auto* distance = app.add_subcommand("distance", "Distances of meshes and closest points: answers and times");
  const auto args = std::make_shared<DistanceArgs>();
  distance->add_option("--meshes", args->meshes, "A folder of meshes, in place of procedural ones");
  distance->add_option("--points", args->points, "For closest points")->capture_default_str();
  distance->add_option("--rounds", args->rounds, "Of the times")->capture_default_str();
  distance->add_option("--faces", args->faces, "Of procedural meshes; 0: 50,000 and then 520,000");
  distance->callback([args, &status] { status = run_distance(*args) ? 0 : 1; });
}

int run(int argc, char** argv) {
  int status = 0;
  CLI::App app("`lamella bench peers` with other libraries in it.", "lamella-bench-peers");
  app.require_subcommand(1);
  const Libraries found = libraries();
  add_peers(cli::Command(app), status, found);
#ifdef LAMELLA_PEER_CGAL
  add_accuracy(cli::Command(app), status);
  add_gradient(cli::Command(app), status);
#endif
  add_certify(cli::Command(app), status, found);
  add_points(app, status);
  add_separation(cli::Command(app), status);
  add_contacts(cli::Command(app), status);
  add_clash(cli::Command(app), status);
  add_distance(app, status);
  CLI11_PARSE(app, argc, argv);
  return status;
}

}  // namespace
}  // namespace lamella::bench::peers

int main(int argc, char** argv) try {
  return lamella::bench::peers::run(argc, argv);
} catch (const std::exception& error) {
  lamella::cli::complain(error.what());
  return lamella::cli::kBadInput;
}
