// Front layers: object, depth, and the face's number in two halves; the object is -1 where there is no layer.

layout(binding = 0) uniform sampler2DArray layers;

// Depths are compared as the depth buffer stores them: it keeps the order, but may round two depths to the same value.
float coded(float depth) {
  precise float z = (depth - low) * z_scale;
  return clamp(z, 0.0, 0.5);
}
float coded(vec4 layer) { return layer.r < 0.0 ? 2.0 : coded(layer.g); }

uint face_of(vec4 layer) { return uint(layer.b) | (uint(layer.a) << 16); }
