#!/usr/bin/python3
"""Writes apps/picture/font_outlines.cpp: the outlines of the letters in pictures, from a TrueType font.

    tools/font_outlines.py /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf

Needs python3-fonttools and, for this font, fonts-roboto-unhinted. The file is kept, so a build needs neither.
"""
import pathlib
import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

OUT = pathlib.Path(__file__).resolve().parent.parent / "apps/picture/font_outlines.cpp"
CHARACTERS = [*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100), *map(ord, "–—‘’“”…−≈≤≥")]

HEAD = """// Roboto Regular by Christian Robertson, copyright 2011 Google Inc., licensed under the Apache License, Version 2.0:
// the outlines of Latin-1 letters and a few signs. tools/font_outlines.py has turned them from a TrueType file into
// numbers, which is the only change. Made by that tool; do not edit.

#include "picture/font_outlines.hpp"

namespace lamella::picture {
namespace {

// clang-format off
"""


class Outline(BasePen):
    """Contours as lists of (x, y, on the curve)."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.contours = []

    def _moveTo(self, p):
        self.contours.append([(*p, True)])

    def _lineTo(self, p):
        self.contours[-1].append((*p, True))

    def _qCurveToOne(self, control, p):
        self.contours[-1] += [(*control, False), (*p, True)]

    def _curveToOne(self, *_):
        raise SystemExit("the font has cubic curves; take a TrueType font")

    def _closePath(self):
        first, last = self.contours[-1][0], self.contours[-1][-1]
        if len(self.contours[-1]) > 1 and first == last:
            self.contours[-1].pop()


def wrapped(values):
    lines, line = [], " "
    for value in values:
        text = f" {value},"
        if len(line) + len(text) > 118:
            lines.append(line)
            line = " "
        line += text
    return "\n".join([*lines, line])


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    font = TTFont(sys.argv[1])
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    points, contours, letters = [], [0], []
    for code in CHARACTERS:
        pen = Outline(glyphs)
        glyph = glyphs[names[code]]
        glyph.draw(pen)
        letters.append(f"{{{code:#x}, {round(glyph.width)}, {len(contours) - 1}, {len(pen.contours)}}}")
        for contour in pen.contours:
            points += [f"{round(2 * x) // 2 * 2 + on},{round(y)}" for x, y, on in contour]
            contours.append(len(points))
    tables = [
        f"constexpr std::int16_t kPoints[] = {{\n{wrapped(points)}\n}};\n",
        f"constexpr std::uint16_t kContours[] = {{\n{wrapped(contours)}\n}};\n",
        f"constexpr FontLetter kLetters[] = {{\n{wrapped(letters)}\n}};\n",
    ]
    metrics = f"{font['head'].unitsPerEm}, {font['hhea'].ascent}, {-font['hhea'].descent}"
    tail = "// clang-format on\n\n}  // namespace\n\n" + (
        f"const FontOutlines kFont{{{metrics}, kPoints, kContours, kLetters}};\n\n}}  // namespace lamella::picture\n")
    OUT.write_text(HEAD + "\n".join(tables) + tail)


main()
