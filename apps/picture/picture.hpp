#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamella/file.hpp"
#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"

namespace lamella::picture {

/// sRGB as designers write it, 0 to 1. Light is computed in linear values and encoded again at the end.
struct Rgb {
  float r = 0, g = 0, b = 0;
};

// Colours that stay apart from each other and read well on the light background.
inline constexpr Rgb kBlueGrey{0.29f, 0.47f, 0.70f};
inline constexpr Rgb kSand{0.87f, 0.64f, 0.30f};
inline constexpr Rgb kSage{0.52f, 0.65f, 0.50f};
inline constexpr Rgb kMauve{0.63f, 0.49f, 0.64f};
inline constexpr Rgb kOverlapRed{0.92f, 0.10f, 0.09f};
inline constexpr Rgb kSelfOverlapGreen{0.10f, 0.66f, 0.22f};
inline constexpr Rgb kDotGrey{0.62f, 0.62f, 0.64f};

/// A mesh drawn shaded from both sides; translucent when opacity is below 1, and then seen through.
struct Layer {
  MeshView mesh;  ///< triangles with a vertex that is not finite are left out
  Rgb color;
  float opacity = 1;              ///< facing the eye; more at grazing angles, less in front of something opaque
  std::span<const Rgb> colors{};  ///< one for each vertex, blended between them; counts instead of `color` when given
};

/// Small opaque balls of the same size wherever they are. Points that are not finite are left out.
struct Dots {
  std::span<const Vec3> points;
  Rgb color;
  float radius_pixels = 2;
  float radius = 0;  ///< in the scene's units, as seen in the middle of the picture; counts instead when above 0
  std::span<const Rgb> colors{};  ///< one for each point; counts instead of `color` when given
};

/// A colour and what it stands for.
struct LegendEntry {
  Rgb color;
  std::string text;  ///< UTF-8, as all text here: Latin-1 letters and a few signs have a shape (font.hpp)
};

/// Words beside what they name, with a line between them.
struct Label {
  std::string text;
  Rgb color;      ///< of what is named
  MeshView mesh;  ///< what is named: where its visible part is
};

/// A bar of colours that stand for numbers, with the numbers at its ends.
struct ColorScale {
  Rgb (*color)(float) = nullptr;  ///< from 0 at the low end to 1 at the high end
  std::string low, high;
  std::string text;  ///< what the numbers are
};

/// What to draw. The order of layers and dots matters only where surfaces coincide: there the later one is in front.
struct Picture {
  std::vector<Layer> layers;
  std::vector<Dots> dots;
  std::vector<std::string> captions;  ///< lines at the top left
  std::vector<LegendEntry> legend;    ///< below the captions
  std::vector<ColorScale> scales{};   ///< below the legend, a line each
  std::vector<Label> labels{};        ///< the first have the choice of places
  float text_scale = 1;               ///< times the usual size of letters: for a picture that will be shown smaller
  unsigned width = 1280, height = 960;
  int samples = 3;      ///< along each side of a pixel, 1 to 3; 1 draws jagged edges in a ninth of the time
  bool shadows = true;  ///< soft ones, in corners and on the ground; without them drawing takes less time
  std::optional<Vec3d> view_direction;  ///< from the eye to the scene; by default one that shows all three axes
  bool view_fixed = false;              ///< it was asked for: not to be turned to where more would be seen
  Vec3d up{0, 0, 1};                    ///< points up in the picture
  /// The picture is fitted to this box instead of to its content: for frames that must fit one another. What reaches
  /// far beyond it is left out.
  std::optional<Aabb> fit = std::nullopt;
};

/// Pixels.
struct Size {
  unsigned width = 0, height = 0;
};

/// The axis that points up in a picture, or down.
struct Up {
  Axis axis = Axis::z;
  bool downwards = false;
};

/// Where the eye is. With z up, `front` looks along +y with +x to the right; with y up, along -z.
enum class Side : std::uint8_t {
  iso,  ///< the usual view: from the front, above and a little to the right
  front,
  back,
  left,
  right,
  top,
  bottom
};

struct View {
  Side side = Side::iso;
  std::optional<Vec3d> direction = std::nullopt;  ///< from the eye to the scene; counts instead when given
};

/// Sets the picture's direction of view and what is up. Looking along the up axis, what lies ahead in the front view is
/// at the top of the picture. `behind`: half a turn about the up axis further.
void look(Picture& picture, Up up, const View& view = {}, bool behind = false);

struct Image {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 bytes a pixel, rows from the top
};

/// Draws the picture, fitted to what is in it or to Picture::fit. The same bits for any number of threads (0: all
/// cores). Throws Error for an index out of range. Memory beyond the image: about 40 bytes a vertex and 60 a triangle,
/// and for each thread the fragments of one tile.
[[nodiscard]] Image render(const Picture& picture, unsigned threads = 0);

/// The bytes of a PNG file. Throws Error for an image without pixels.
[[nodiscard]] std::vector<std::uint8_t> to_png(const Image& image);

/// The file appears complete or not at all, as NewFile writes it. Throws Error naming the file.
void write_png(const std::filesystem::path& path, const Image& image, WriteOptions options = {});

/// A contact sheet: the images from left to right with a small gap between them, aligned at the top.
[[nodiscard]] Image beside(std::span<const Image> images);

}  // namespace lamella::picture
