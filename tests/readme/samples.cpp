// Writes the files that the documentation's commands and programs read.

#include <fstream>

#include "prelude.hpp"

int main() {
  lamella::write_mesh("a.ply", a);
  lamella::write_mesh("b.ply", b);
  lamella::write_mesh("mesh.ply", mesh);
  std::ofstream file("points.xyz");
  for (const lamella::Vec3 p : points) file << p.x << ' ' << p.y << ' ' << p.z << '\n';
}
