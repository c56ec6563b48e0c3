// Open edges as places: edges that share an end belong to one hole.

/** Groups of edges (six numbers each: two ends), by where their ends meet. Returns for each edge its group. */
export function hole_groups(edges: Float32Array): { group: Uint32Array; count: number } {
  const n = edges.length / 6;
  const parent = Uint32Array.from({ length: n }, (_, i) => i);
  const find = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  const seen = new Map<string, number>();
  for (let i = 0; i < n; ++i)
    for (const end of [0, 3]) {
      const key = `${edges[6 * i + end]},${edges[6 * i + end + 1]},${edges[6 * i + end + 2]}`;
      const other = seen.get(key);
      if (other === undefined) seen.set(key, i);
      else parent[find(i)] = find(other);
    }
  const names = new Map<number, number>();
  const group = new Uint32Array(n);
  for (let i = 0; i < n; ++i) {
    const root = find(i);
    if (!names.has(root)) names.set(root, names.size);
    group[i] = names.get(root)!;
  }
  return { group, count: names.size };
}
