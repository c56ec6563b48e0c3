// Depth is OpenGL's own; there is no color.

void main() {}
