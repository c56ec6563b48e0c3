#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// The subcommands of `lamella bench`, apart from how their options are typed (options.cpp). Each prints to stdout.

namespace lamella::bench {

class Report;

struct PaperArgs {
  std::string engine = "automatic";  ///< or "published", or "all"
  std::optional<unsigned> device;    ///< of the engines on a GPU
  std::optional<unsigned> threads;   ///< both 1 and all cores when not given
  std::string table;                 ///< only this one, or those whose names begin so; all when empty
  std::string paper;                 ///< only its tables; all when empty
  std::filesystem::path mesh;        ///< the papers' queries on this mesh instead, when not empty
  bool list = false;                 ///< names the tables and measures nothing
  bool quick = false;                ///< few runs, to try it out
  bool json = false;
};
/// Every published table of the four papers beside what is measured here.
void run_paper(const PaperArgs& args);

struct ScalingArgs {
  std::string engine = "automatic";  ///< or "all"
  std::optional<unsigned> device;    ///< of the engines on a GPU
  std::string model = "blob";
  std::filesystem::path mesh;               ///< in place of the model, when not empty
  std::string sweep;                        ///< faces, resolution, threads or pairs; the first three when empty
  std::optional<std::uint32_t> faces;       ///< only this row
  std::optional<std::uint32_t> resolution;  ///< only this row
  unsigned threads = 1;                     ///< of the face and resolution sweeps; 0: all cores
  bool json = false;
};
/// Building an LDI of a whole mesh beside streaming the mesh's arrays once: by faces, resolution and threads.
void run_scaling(const ScalingArgs& args);

struct AutomaticArgs {
  std::string engine = "gl-lists";  ///< to compare the software engine with
  std::optional<unsigned> device;
  bool json = false;
};
/// What the engine "automatic" rests on: the time of a query by faces and resolution, on the CPU and on a GPU.
void run_automatic(const AutomaticArgs& args);

struct SceneArgs {
  std::string engine = "automatic";           ///< or "all"
  std::optional<unsigned> device;             ///< of cuda or gl-pairs
  std::optional<unsigned> threads;            ///< both 1 and all cores when not given
  std::string table;                          ///< only this one; all when empty
  std::optional<std::uint32_t> objects;       ///< only crowds of this many
  std::uint32_t frames = 60;                  ///< of a crowd's motion or of a simulation
  std::optional<std::uint32_t> resolution;    ///< only this one of JANG-fig13 and JANG-fig14
  std::vector<std::filesystem::path> meshes;  ///< two in place of the models of these, or none
  bool quick = false;                         ///< a single pass for each figure, to try it out
  bool json = false;
};
/// What a Scene costs: beside the figures of Jang, Jeong and Han, by triangles and resolution, by the number of
/// objects, and by what a viewer sees.
void run_scene(const SceneArgs& args);
/// The tables of Jang, Jeong and Han alone, or the one that `args.table` names, into a report; nothing where the name
/// is another's. Throws Error when the engine is not available.
void scene_tables(const SceneArgs& args, const Report& report);
/// JANG-table1 and so on.
[[nodiscard]] std::vector<std::string> scene_table_names();

struct OtherMethod;  // gi/methods.hpp

struct GiArgs {
  std::string table;                    ///< only this one; all when empty
  std::vector<std::uint32_t> objects;   ///< numbers of rabbits; the paper's when empty
  int levels = 6;                       ///< of the rabbits' images: (2^levels + 1)^2 vertices
  std::optional<std::uint32_t> frames;  ///< of the rabbits' motion; the paper's when not given
  std::filesystem::path mesh;           ///< in place of the rabbit
  bool quick = false;                   ///< few sizes and runs, to try it out
  bool json = false;
};
/// What geometry images cost: the experiments of "GI-COLLIDE", section 5, beside other trees on the same motions.
/// `others` take part where methods are compared.
void run_gi(const GiArgs& args, const std::vector<OtherMethod>& others = {});

struct CudaArgs {
  std::string work;  ///< empty: all
  std::uint32_t frames = 200;
  std::filesystem::path a, b;  ///< meshes for the work `scans`; empty: models in their place
  std::optional<unsigned> device;
  bool alone = false;  ///< not the times of other engines
  bool quick = false;
  bool json = false;
};
/// Frames on an NVIDIA GPU beside reading their inputs once. False when an answer of the GPU is not the CPU's, or a
/// work could not be measured. Throws Error (device) when there is no GPU to measure.
[[nodiscard]] bool run_cuda(const CudaArgs& args);

struct ClashArgs {
  std::string engine = "automatic";  ///< of the volumes
  std::optional<unsigned> device;
  unsigned threads = 0;              ///< 0: all cores
  std::vector<std::uint32_t> parts;  ///< of crowds; empty: the gearbox, and crowds of 1,000 to 100,000
  bool verdicts = false;             ///< without ways out of overlaps
  bool quick = false;
  bool json = false;
};
/// What clash reports of assemblies cost, by the number of parts.
void run_clash(const ClashArgs& args);

namespace peers {
struct Libraries;  // peers/method.hpp
}

struct PeersArgs {
  std::string work;                     ///< W1 to W4; empty: all
  std::optional<std::uint32_t> rounds;  ///< 21, or 5 where it is quick, when not given
  std::filesystem::path chart;          ///< PNG to write; empty: none
  bool quick = false;                   ///< small meshes and few rounds, to try it out
  bool json = false;
};
/// The same works by this library and by others, in turn, on one thread. False when an answer of ours is not that of
/// the exact library.
[[nodiscard]] bool run_peers(const PeersArgs& args, const peers::Libraries& others);

}  // namespace lamella::bench
