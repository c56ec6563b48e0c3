// Whether columns close: every object has a number. A front adds it to the column's sum, a back subtracts it. The sum
// is 0 where all objects close; elsewhere it is 0 only with a chance of one in 2^32. The first object drawn owns the
// column; a second one makes it shared.

uint number_of(uint i) {
  uint x = i + 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return (x ^ (x >> 16)) | 1u;
}

void main() {
  if (outside_window()) return;
  uint at = column(), number = number_of(object);
  uint owner = column_words[owner_at(at)];
  if (owner == 0u) owner = atomicCompSwap(column_words[owner_at(at)], 0u, object + 1u);
  if (owner != 0u && owner != object + 1u) column_words[flags_at(at)] = kShared;
  atomicAdd(column_words[sum_at(at)], gl_FrontFacing ? number : 0u - number);
}
