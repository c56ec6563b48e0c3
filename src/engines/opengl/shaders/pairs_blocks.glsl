// The list of slots to draw is made block by block, so that objects come in order: each block chooses some of its
// slots, the counts are summed up, and the chosen slots are written one after another.

layout(local_size_x = 256) in;

struct Block {
  uint kept;    // slots that are used
  uint chosen;  // of those, to be drawn
  uint first;   // index of the first of them in the list
  uint padding;
};

layout(std430, binding = 6) restrict buffer Chosen { uint chosen[]; };  // slots, from each block's first on
layout(std430, binding = 7) restrict buffer BlockStates { Block states[]; };
layout(location = 0) uniform uint block_count;

uint block_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
