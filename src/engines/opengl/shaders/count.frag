// Draws nothing, for a query that counts fragments.

void main() {
  float depth = crossing_depth(uint(gl_PrimitiveID), uvec2(gl_FragCoord.xy));
  if (cut != 0u && (depth < 0.0 || depth > box_depth)) discard;
}
