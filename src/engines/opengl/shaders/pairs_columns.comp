// Counts the columns with a crossing and those that do not close.

layout(local_size_x = 256) in;

shared uint group_open, group_occupied;

void main() {
  if (gl_LocalInvocationID.x == 0u) group_open = group_occupied = 0u;
  barrier();
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i < column_count) {
    if (column_words[owner_at(i)] != 0u) atomicAdd(group_occupied, 1u);
    if (column_words[sum_at(i)] != 0u) atomicAdd(group_open, 1u);
  }
  barrier();
  if (gl_LocalInvocationID.x != 0u) return;
  if (group_open != 0u) atomicAdd(open_columns, group_open);
  if (group_occupied != 0u) atomicAdd(occupied_columns, group_occupied);
}
