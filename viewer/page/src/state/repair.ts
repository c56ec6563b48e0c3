import { plural } from "./numbers.ts";

/** What a repair did, in a sentence. */
export function repair_text(name: string, report: Record<string, number>): string {
  const done: string[] = [];
  const say = (key: string, words: (n: number) => string): void => {
    if (report[key] > 0) done.push(words(report[key]));
  };
  say("welded_vertices", (n) => `welded ${plural(n, "vertex", "vertices")}`);
  say("degenerate_faces", (n) => `removed ${plural(n, "face")} without area`);
  say("doubled_faces", (n) => `removed ${plural(n, "doubled face")}`);
  say("unusable_faces", (n) => `removed ${plural(n, "unusable face")}`);
  say("turned_faces", (n) => `turned ${plural(n, "face")}`);
  say("turned_shells", (n) => `turned ${plural(n, "part")} inside out`);
  say("closed_holes", (n) => `closed ${plural(n, "hole")}`);
  const rest = report.open_edges > 0 ? ` ${plural(report.open_edges, "edge")} stay open.` : "";
  return `${name}: ${done.length > 0 ? done.join(", ") : "nothing to repair"}.${rest}`;
}
