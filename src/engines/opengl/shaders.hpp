#pragma once

// The sources in shaders/, embedded into the library by embed_shaders.cmake: file name.kind is name_kind here.

namespace lamella::opengl::shaders {

extern const char contain_comp[];
extern const char count_frag[];
extern const char crossing_glsl[];
extern const char cull_comp[];
extern const char depth_comp[];
extern const char gather_comp[];
extern const char layer_frag[];
extern const char list_frag[];
extern const char lists_glsl[];
extern const char mesh_glsl[];
extern const char pairs_back_frag[];
extern const char pairs_blocks_glsl[];
extern const char pairs_columns_comp[];
extern const char pairs_cull_comp[];
extern const char pairs_face_glsl[];
extern const char pairs_glsl[];
extern const char pairs_kept_glsl[];
extern const char pairs_layers_glsl[];
extern const char pairs_link_comp[];
extern const char pairs_list_comp[];
extern const char pairs_match_glsl[];
extern const char pairs_narrow_comp[];
extern const char pairs_offsets_comp[];
extern const char pairs_open_frag[];
extern const char pairs_peel_frag[];
extern const char pairs_point_glsl[];
extern const char pairs_points_frag[];
extern const char pairs_report_comp[];
extern const char pairs_single_comp[];
extern const char pairs_sum_frag[];
extern const char pairs_unique_comp[];
extern const char pairs_vert[];
extern const char sample_vert[];
extern const char sampling_glsl[];
extern const char sort_comp[];
extern const char spans_comp[];
extern const char total_comp[];
extern const char tr395_frag[];
extern const char tr395_vert[];

}  // namespace lamella::opengl::shaders
