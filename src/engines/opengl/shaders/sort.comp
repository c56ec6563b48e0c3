// Sorts the list of every column by key. Short lists are sorted in a local array, and the keys are written back in the
// order of the links; long lists are sorted by merging runs of links.

layout(local_size_x = 64) in;

const uint kShort = 32u;

uint append(uint tail, uint list, uint node) {
  if (tail == 0u)
    heads[list] = node;
  else
    nodes[tail - 1u].next = node;
  return node;
}

void merge_sort(uint list, uint size) {
  for (uint run = 1u; run < size; run *= 2u) {
    uint left = heads[list], tail = 0u;
    while (left != 0u) {
      uint right = left, left_size = 0u, right_size = run;
      for (; left_size < run && right != 0u; ++left_size) right = nodes[right - 1u].next;
      while (left_size > 0u || (right_size > 0u && right != 0u)) {
        bool take_left = left_size > 0u &&
                         (right_size == 0u || right == 0u || nodes[left - 1u].key <= nodes[right - 1u].key);
        uint node = take_left ? left : right;
        uint next = nodes[node - 1u].next;
        if (take_left) {
          left = next;
          --left_size;
        } else {
          right = next;
          --right_size;
        }
        tail = append(tail, list, node);
      }
      left = right;
    }
    nodes[tail - 1u].next = 0u;
  }
}

void main() {
  uint list = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (list >= column_count + second) return;
  uint keys[kShort];
  uint size = 0u;
  for (uint node = heads[list]; node != 0u; node = nodes[node - 1u].next) {
    uint key = nodes[node - 1u].key;
    if (size < kShort) {
      uint i = size;
      for (; i > 0u && keys[i - 1u] > key; --i) keys[i] = keys[i - 1u];
      keys[i] = key;
    }
    ++size;
  }
  if (size < 2u) return;
  if (size > kShort) {
    merge_sort(list, size);
    return;
  }
  uint i = 0u;
  for (uint node = heads[list]; node != 0u; node = nodes[node - 1u].next) nodes[node - 1u].key = keys[i++];
}
