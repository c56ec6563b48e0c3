// As published: a texel has room for one back behind each front. The paper does not say which one stays; here it is the
// nearest.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict buffer Pairs { Pair pairs[]; };

bool comes_before(Pair a, Pair b) {
  return a.back_depth < b.back_depth || (a.back_depth == b.back_depth && a.back_face < b.back_face);
}

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= column_count || pair_count > pair_capacity) return;
  uint head = column_words[head_at(i)], dropped = 0u;
  for (uint node = head; node != 0u; node = pairs[node - 1u].next) {
    Pair pair = pairs[node - 1u];
    bool stays = true;
    for (uint other = head; other != 0u && stays; other = pairs[other - 1u].next)
      stays = pairs[other - 1u].front_object != pair.front_object || !comes_before(pairs[other - 1u], pair);
    if (stays) continue;
    pairs[node - 1u].column |= kDropped;
    ++dropped;
  }
  if (dropped != 0u) atomicAdd(passed_over, dropped);
}
