#pragma once

namespace lamella {

/// Wall-clock milliseconds by stage. A stage that a query does not have stays 0. An engine that samples and answers on
/// a GPU in one go takes `query` from the GPU's own timer and counts the rest as `ldi`.
struct Timings {
  double broad = 0;     ///< boxes that moved, sweep and prune
  double voi = 0;       ///< bounds and volume of interest; in scenes: placing vertices, groups and their grids
  double ldi = 0;       ///< sampling
  double query = 0;     ///< the query itself; in scenes: pairs and volumes; of geometry images: the searches
  double points = 0;    ///< collision points
  double contacts = 0;  ///< normals, depths, manifolds
  double solve = 0;     ///< collision response: prediction, impulses, new poses
  double gpu = 0;       ///< of these, by the GPU's own timer; 0 when none was used

  [[nodiscard]] double total() const { return broad + voi + ldi + query + points + contacts + solve; }
  Timings& operator+=(const Timings& o) {
    broad += o.broad;
    voi += o.voi;
    ldi += o.ldi;
    query += o.query;
    points += o.points;
    contacts += o.contacts;
    solve += o.solve;
    gpu += o.gpu;
    return *this;
  }
};

}  // namespace lamella
