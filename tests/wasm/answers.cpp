// What the library answers here, as digests of every number of every answer: `wasm_answers FOLDER` writes meshes into
// the folder and prints a line for each work. works.mjs asks the package for the same and must get the same lines.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "bindings/wasm/src/fields.hpp"
#include "lamella/detector.hpp"
#include "lamella/query.hpp"
#include "scenes/catalogue.hpp"
#include "scenes/hard_meshes.hpp"
#include "scenes/models.hpp"

namespace lamella::wasm {
namespace {

/// FNV-1a of the bytes of numbers, as doubles, and of texts. Times are left out.
class Digest {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ p[i]) * 16777619u;
  }
  void number(double x) {
    if (x != x) x = std::numeric_limits<double>::quiet_NaN();
    bytes(&x, sizeof x);
  }
  void text(std::string_view x) { bytes(x.data(), x.size()); }

  template <class T>
  void add(const T& x) {
    if constexpr (std::is_arithmetic_v<T>) {
      number(static_cast<double>(x));
    } else if constexpr (std::is_enum_v<T>) {
      text(Names<T>::names[static_cast<std::size_t>(x)]);
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      text(x);
    } else if constexpr (std::same_as<T, Vec3> || std::same_as<T, Vec3d>) {
      for (int i = 0; i < 3; ++i) number(static_cast<double>(x[i]));
    } else if constexpr (std::same_as<T, ObjectId>) {
      number(x.number);
    } else {
      fields(*this, const_cast<T&>(x));
    }
  }
  template <class T>
  void add(const std::optional<T>& x) {
    if (x)
      add(*x);
    else
      text("null");
  }
  template <class T>
  void add(const std::vector<T>& items) {
    for (const T& x : items) add(x);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& items) {
    for (const T& x : items) add(x);
  }
  template <class T>
  void operator()(const char*, const T& x) {
    if constexpr (!std::same_as<T, Timings>) add(x);
  }
  template <class Number, class T>
  void array(const char*, const std::vector<T>& items) {
    bytes(items.data(), items.size() * sizeof(T));
  }
  void add(const Mesh& mesh) {
    bytes(mesh.positions.data(), mesh.positions.size() * sizeof(Vec3));
    bytes(mesh.triangles.data(), mesh.triangles.size() * sizeof(Triangle));
    add(mesh.origin);
  }
  [[nodiscard]] std::uint32_t value() const { return hash_; }

 private:
  std::uint32_t hash_ = 2166136261u;
};

/// Prints the digest of what `work` returns, or its Error.
void tell(const std::string& name, const std::function<void(Digest&)>& work) {
  Digest digest;
  try {
    work(digest);
    std::printf("%s %08x\n", name.c_str(), digest.value());
  } catch (const Error& e) {
    std::printf("%s error %s\n", name.c_str(), e.what());
  }
}
template <class Work>
void tell_answer(const std::string& name, const Work& work) {
  tell(name, [&](Digest& digest) { digest.add(work()); });
}

/// The same numbers in works.mjs.
class Numbers {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / 16777216.0f;
  }

 private:
  std::uint32_t state_ = 1;
};
std::vector<Vec3> points_in(const Aabb& box, std::size_t count) {
  Numbers numbers;
  std::vector<Vec3> out(count);
  for (Vec3& p : out)
    for (int k = 0; k < 3; ++k) p[k] = box.min[k] + numbers.next() * (box.max[k] - box.min[k]);
  return out;
}

void ask_pair(const std::string& name, const Mesh& a, const Mesh& b) {
  for (const char* engine : {"software", "reference", "software-wscg"})
    tell_answer(name + " intersect " + engine, [&] { return intersect(a, b, {.engine = engine, .resolution = 40}); });
  tell_answer(name + " certify", [&] { return intersect(a, b, {.resolution = 64, .certify = true, .ends = true}); });
  tell_answer(name + " tolerance", [&] { return intersect(a, b, {.tolerance = Tolerance{.relative = 0.01}}); });
  tell_answer(name + " vertices", [&] { return vertices_inside(a, b, {.resolution = 64}); });
  tell_answer(name + " gradient", [&] { return volume_gradient(a, b, {.resolution = 64}); });
  tell_answer(name + " separation", [&] { return separation(a, b, {.directions = 100}); });
  tell_answer(name + " shifts", [&] { return free_shifts(a, b, {1, 2, 3}, 64); });
  tell_answer(name + " sweep", [&] { return sweep(a, b, {0.25, -0.5, 1}); });
  tell_answer(name + " distance", [&] { return distance(a, b); });
}

void ask_mesh(const std::string& name, const Mesh& mesh) {
  tell_answer(name + " mesh", [&] { return mesh; });
  tell_answer(name + " inspect", [&] { return inspect(mesh); });
  tell_answer(name + " repair", [&] { return repair(mesh).mesh; });
  tell_answer(name + " report", [&] { return repair(mesh).report; });
  tell_answer(name + " closed", [&] { return closed(mesh, find_closure(mesh)); });
  tell_answer(name + " self", [&] { return self_intersect(mesh, {.resolution = 64}); });
  const std::vector<Vec3> points = points_in(bounds(mesh), 500);
  tell_answer(name + " contains", [&] { return contains(mesh, points, {.resolution = 64}); });
  tell_answer(name + " exact", [&] { return contains(mesh, points, {.resolution = 32, .exact = true}); });
  tell(name + " closest", [&](Digest& digest) {
    const ClosestPoints found = closest(mesh, points);
    for (const ClosestPoint& p : found.points) digest.number(p.distance);
    for (const ClosestPoint& p : found.points) digest.add(p.position);
    for (const ClosestPoint& p : found.points) digest.add(p.normal);
    for (const ClosestPoint& p : found.points) digest.number(p.triangle);
    digest.add(found.health);
  });
}

void ask_scene(const std::vector<Mesh>& meshes) {
  Scene scene({.resolution = 48});
  std::vector<ObjectId> ids;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    ids.push_back(scene.add(meshes[i], {{0.25 * static_cast<double>(i), 0, 0}, {0, 0, 0, 1}}));
  tell_answer("scene collide", [&] { return scene.collide(); });
  for (int frame = 1; frame <= 3; ++frame) {
    for (std::size_t i = 0; i < ids.size(); i += 2)
      scene.move(ids[i], {{0.25 * static_cast<double>(i), 0.125 * frame, 0}, {0, 0.6, 0, 0.8}});
    tell_answer("scene frame " + std::to_string(frame), [&] { return scene.collide(); });
  }
  tell_answer("scene sweep", [&] { return scene.sweep(ids[0], {2, 0, 0}); });
  tell_answer("scene separation", [&] { return scene.separation(ids[0], ids[1], 100); });
}

void ask_world(const Mesh& box, const Mesh& other) {
  RigidWorld world({.resolution = 32});
  (void)world.add(box, {{0, 0, -1}, {}}, {.fixed = true});
  std::vector<ObjectId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(world.add(other, {{0.25 * i, 0.125 * i, 1.5 + 2.0 * i}, {0, 0.6, 0, 0.8}}));
  for (int step = 1; step <= 40; ++step) {
    world.step(1.0 / 60);
    if (step % 10 != 0) continue;
    tell("world step " + std::to_string(step), [&](Digest& digest) {
      for (const ObjectId id : ids) digest.add(world.body(id));
      digest.number(world.kinetic_energy());
    });
  }
}

void ask_batch(const Mesh& a, const Mesh& b) {
  Batch batch({.resolution = 48});
  const ObjectId x = batch.add(a), y = batch.add(b);
  std::vector<BatchPair> pairs;
  for (int i = 0; i < 8; ++i) pairs.push_back({x, y, {}, {{0.125 * i, 0, 0}, {0, 0.6, 0, 0.8}}});
  tell("batch", [&](Digest& digest) {
    for (const PairOverlap& p : batch.intersect(pairs)) digest.add(p);
  });
  tell("batch gradients", [&](Digest& digest) {
    for (const PairGradient& p : batch.volume_gradients(pairs)) digest.add(p);
  });
}

void ask_images(const Mesh& mesh) {
  const GeometryImage ball = image_of_sphere(5, {0.25f, 0, 0}, 0.5f);
  const auto digest_image = [](Digest& digest, const GeometryImage& image) {
    digest.number(image.n);
    digest.bytes(image.positions.data(), image.positions.size() * sizeof(Vec3));
    digest.bytes(image.normals.data(), image.normals.size() * sizeof(Vec3));
  };
  tell("image sphere", [&](Digest& digest) { digest_image(digest, ball); });
  MadeImages made;
  tell("image make", [&](Digest& digest) {
    made = make_geometry_images(mesh, {.n = 5});
    for (std::size_t i = 0; i < made.images.size(); ++i) {
      digest_image(digest, made.images[i]);
      digest.add(made.reports[i]);
    }
  });
  for (const SphereFit fit : {SphereFit::fast, SphereFit::tight, SphereFit::published})
    tell(std::string("image pyramid ") + Names<SphereFit>::names[static_cast<std::size_t>(fit)], [&](Digest& digest) {
      const SpherePyramid pyramid(ball, fit);
      digest.bytes(pyramid.pixels().data(), pyramid.pixels().size_bytes());
    });
  const ImageBody a = make_body({ball}), b = make_body(made.images);
  for (const bool all : {false, true})
    tell_answer(std::string("image collide ") + (all ? "all" : "first"), [&] {
      return collide(a, {}, b, {{0.25, 0.125, 0}, {0, 0.6, 0, 0.8}}, {.all = all});
    });
  tell_answer("image mesh", [&] { return collide(a, {}, MeshView(mesh), {}, {.all = true}); });
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every file of a folder of seeds, as a mesh of the format that the folder is named after; and those that are none.
void ask_files(const std::filesystem::path& seeds) {
  std::vector<std::filesystem::path> files;
  for (const char* format : {"glb", "gltf", "obj", "off", "ply", "stl", "xyz"})
    for (const auto& entry : std::filesystem::directory_iterator(seeds / format)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    const std::string bytes = read_bytes(path);
    MeshFormat format{};
    const std::string folder = path.parent_path().filename().string();
    read("format", Value(std::string_view(folder)), format);
    const std::string name = folder + "/" + path.filename().string();
    const auto all = std::as_bytes(std::span(bytes));
    if (format == MeshFormat::xyz) {
      tell("file " + name, [&](Digest& digest) {
        for (const Vec3d& p : read_wide_points(all, format, "file")) digest.add(p);
      });
      continue;
    }
    tell_answer("file " + name, [&] { return read_mesh(all, format, "file"); });
    tell("parts " + name, [&](Digest& digest) {
      for (const MeshPart& part : read_parts(all, format, Split::components, "file")) {
        digest.text(part.name);
        digest.add(part.mesh);
      }
    });
  }
}

void answer_all(const std::filesystem::path& folder, const std::filesystem::path& seeds) {
  std::vector<Mesh> meshes;
  std::vector<std::string> names;
  const auto use = [&](const std::string& name, Mesh mesh) {
    write_mesh(folder / (name + ".ply"), mesh);
    names.push_back(name);
    meshes.push_back(std::move(mesh));
  };
  for (const scenes::CatalogueModel& model : scenes::catalogue()) use(std::string(model.name), model.make(2000));
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    ask_mesh(names[i], meshes[i]);
    ask_pair(names[i] + " and next", meshes[i], meshes[(i + 1) % meshes.size()]);
  }
  ask_scene(meshes);
  const Mesh box = scenes::box(200), blob = scenes::blob(800), sphere = scenes::sphere(600);
  use("box_200", box);
  use("blob_800", blob);
  use("sphere_600", sphere);
  ask_world(box, blob);
  ask_batch(blob, sphere);
  ask_images(blob);
  for (const scenes::HardMesh& hard : scenes::hard_meshes()) {
    const std::string name = "hard_" + std::string(hard.name);
    const Mesh mesh = hard.make(1);
    use(name, mesh);
    ask_mesh(name, mesh);
    tell_answer(name + " intersect", [&] { return intersect(mesh, sphere, {.resolution = 48}); });
  }
  ask_files(seeds);
}

}  // namespace
}  // namespace lamella::wasm

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: wasm_answers FOLDER SEEDS\n", stderr);
    return 2;
  }
  try {
    lamella::wasm::answer_all(arguments[1], arguments[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
