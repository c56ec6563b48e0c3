// One layer of gl-ordered (with PEEL) or gl-unordered: a fragment of the wanted facing writes its depth. The depth test
// or the stencil decides which fragment is kept.

layout(location = 0) uniform bool front;
#ifdef PEEL
layout(location = 1) uniform bool first;
layout(location = 2) uniform float steps;  // of the depth buffer where it has fewer bits than a float; else 0
layout(binding = 0) uniform sampler2D previous;

double step_of(float z) { return round(double(z) * steps); }
#endif

void main() {
  if (gl_FrontFacing != front) discard;
  float depth = crossing_depth(uint(gl_PrimitiveID), uvec2(gl_FragCoord.xy));
  if (cut != 0u && (depth < 0.0 || depth > box_depth)) discard;
  precise float z = (depth - low) * z_scale;
#ifdef PEEL
  float before = first ? -1.0 : texelFetch(previous, ivec2(gl_FragCoord.xy), 0).r;
  // The second depth test must compare the stored depth with this depth as it will be stored.
  bool behind = steps > 0.0 ? step_of(z) > step_of(before) : z > before;
  if (!behind) discard;
#endif
  gl_FragDepth = z;
}
