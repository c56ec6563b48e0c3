#pragma once

// The exact length of one way out: a is moved as far as rays need and a little further, until it is proved to be clear;
// from there a sweep back tells where it first touches b, exactly to rounding. So what lies between rays costs no
// length.

#include <memory>
#include <vector>

#include "lamella/separation.hpp"
#include "measure/first_touch.hpp"
#include "measure/frame.hpp"
#include "measure/way_search.hpp"
#include "proof/prove.hpp"

namespace lamella {

/// What all ways of a pair share.
struct PairToPart {
  MeshView a, b;                          ///< as given, indices in range
  bool solid_a = false, solid_b = false;  ///< is_solid()
  double rounding = 0;                    ///< of positions moved and rounded to floats, with room
};

/// Measures one way at a time; keeps its memory. For ways side by side use one for each.
class WayLength {
 public:
  /// The way with its length and proof; other fields as they are. The same for any number of threads.
  Separation measure(const PairToPart& pair, const FoundWay& way, Workers& workers);

 private:
  /// a once it is moved. Proofs are about exactly what transformed() gives.
  struct Moved {
    Mesh mesh;
    proof::Proof proof;
  };
  Moved moved_by(const PairToPart& pair, Vec3d translation) const;
  void prove(const PairToPart& pair, Moved& moved, Workers& workers);
  std::optional<double> touch_back(const PairToPart& pair, const Mesh& moved, Vec3d direction, double total,
                                   double least, Workers& workers);
  void tighten(const PairToPart& pair, double total, double needed, Separation& out, Workers& workers);
  double free_beyond(Vec3d direction);

  PairFrame frame_;
  proof::ProofScratch scratch_;
  FirstTouch touch_;
  std::unique_ptr<ShiftFinder> finder_;
  std::vector<FreeShift> shifts_;
};

}  // namespace lamella
