#pragma once

#include "answer/query.hpp"
#include "lamella/query.hpp"
#include "session/workspace.hpp"

namespace lamella::session {

/// "options" of a query. Spans are left out.
[[nodiscard]] Options read_options(const Workspace& workspace, const Request& request);

/// What the meshes of an answer are called.
[[nodiscard]] answer::Subjects subjects_of(const Options& options, std::initializer_list<const Object*> objects);

[[nodiscard]] Json grid_json(const Grid& grid, Vec3d origin);
[[nodiscard]] Json spans_json(const Grid& grid, Vec3d origin, std::span<const Span> spans, PacketWriter& writer);

/// The shared volume as a surface, made as the request wants it.
[[nodiscard]] Json solid_json(Object& a, Object& b, const Options& options, const Request& request,
                              PacketWriter& writer);
[[nodiscard]] Json self_solid_json(Object& object, const Options& options, const Request& request,
                                   PacketWriter& writer);

// Kinds of queries, each in a file of its own or with others.
Json query_scene(Workspace&, const Request&, PacketWriter&);    // scene_query.cpp
Json query_layers(Workspace&, const Request&, PacketWriter&);   // layers.cpp
Json query_contain(Workspace&, const Request&, PacketWriter&);  // point_queries.cpp
Json query_closest(Workspace&, const Request&, PacketWriter&);  // point_queries.cpp
Json query_times(Workspace&, const Request&, PacketWriter&);    // times.cpp

/// The most columns and rows that can be asked for here.
inline constexpr std::uint32_t kMostResolution = 4096;
/// The most crossings of one LDI.
inline constexpr std::uint64_t kMostCrossings = std::uint64_t{1} << 26;

}  // namespace lamella::session
