#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/options.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

/// How to draw a figure, and where what is drawn goes.
struct FigureTask {
  picture::Size size;        ///< of the whole figure
  std::uint32_t frames = 1;  ///< of an animated one
  Options options;           ///< engine, device, threads; each figure has its own resolution unless one is given
  bool resolution_given = false;
  bool quick = false;  ///< coarse models

  /// Takes the next frame, or the whole figure when it stands still. False: no more frames are wanted.
  std::function<bool(const picture::Image&)> add;
  /// Called with the milliseconds of each frame's detection.
  std::function<void(double ms)> measured;
  /// Called with the parts done and the parts in all, by figures that have several.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;

  /// The faces of a model that has this many in the paper.
  [[nodiscard]] std::size_t faces(std::size_t published) const;
  /// The options with the resolution given, or else the paper's.
  [[nodiscard]] Options sampled(std::uint32_t published) const;
};

/// A figure of one of the papers.
struct Figure {
  std::string_view name;   ///< to ask for it
  std::string_view paper;  ///< "TR 395, figure 8"
  std::string_view shows;
  std::string_view command;  ///< that draws the like of a user's own meshes
  picture::Size size;        ///< unless another is asked for
  std::uint32_t frames = 1;  ///< above 1: animated, with so many unless another number is asked for
  void (*draw)(const FigureTask& task) = nullptr;
};

/// All of them, paper by paper.
[[nodiscard]] std::span<const Figure> figures();

// How each is drawn. Models of this project stand in for those of the papers, with as many faces.

void draw_tr395_1(const FigureTask& task);
void draw_tr395_2(const FigureTask& task);
void draw_tr395_7(const FigureTask& task);
void draw_tr395_8(const FigureTask& task);
void draw_tr395_9(const FigureTask& task);
void draw_tr395_10(const FigureTask& task);
void draw_tr395_11(const FigureTask& task);
void draw_tr395_12(const FigureTask& task);
void draw_wscg_3(const FigureTask& task);
void draw_wscg_4(const FigureTask& task);
void draw_wscg_5(const FigureTask& task);
void draw_wscg_6(const FigureTask& task);
void draw_jang_12(const FigureTask& task);
void draw_jang_13(const FigureTask& task);
void draw_jang_15(const FigureTask& task);
void draw_jang_16(const FigureTask& task);
void draw_gi_2(const FigureTask& task);
void draw_gi_3(const FigureTask& task);
void draw_gi_7(const FigureTask& task);

}  // namespace lamella::cli
