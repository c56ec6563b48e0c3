// All crossings of the columns that do not close, so that the host can find the objects that cause it.

layout(std430, binding = 1) restrict writeonly buffer Out { uint out_words[]; };  // column, object and facing

void main() {
  if (outside_window()) return;
  uint at = column();
  if (column_words[sum_at(at)] == 0u) return;
  uint place = atomicAdd(out_count, 1u);
  if (place >= out_capacity) return;
  out_words[2u * place] = at;
  out_words[2u * place + 1u] = (object << 1) | (gl_FrontFacing ? 1u : 0u);
}
