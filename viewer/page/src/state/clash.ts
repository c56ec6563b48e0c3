// The findings of a clash report: which are listed, and in which order.

import type { Box, ClashClass, ClashData, ClashFinding, ClashPair, Report, Vec3 } from "../engine/types.ts";

/** The most serious first. Findings of class "clear" are undecided: they seem clear, and may not be. */
export const kClashClasses: ClashClass[] = ["duplicate", "contained", "piercing", "overlapping", "touching", "near", "clear"];

/** What people read as a finding's class. */
export const class_text = (kind: ClashClass): string => (kind === "clear" ? "undecided" : kind);

export type ClashColumn = "order" | "title" | "class" | "volume" | "depth" | "distance" | "places" | "status";

export interface ClashFilter {
  /** Classes that are not listed. */
  hidden: ReadonlySet<ClashClass>;
  /** Only findings with this change; all when empty. */
  change: string;
  /** Also what rules allow. */
  allowed: boolean;
  /** Only findings with this in their title or the names of their parts, in any case. */
  text: string;
}

export const status_of = (finding: ClashFinding): string =>
  [finding.change === "same" ? "" : finding.change, finding.allowed && "allowed", finding.undecided && "undecided"].filter(Boolean).join(", ");

export function class_counts(findings: ClashFinding[]): Map<ClashClass, number> {
  const counts = new Map<ClashClass, number>();
  for (const f of findings) counts.set(f.class, (counts.get(f.class) ?? 0) + 1);
  return counts;
}

function has_text(data: ClashData, finding: ClashFinding, text: string): boolean {
  if (text === "" || finding.title.toLowerCase().includes(text)) return true;
  return finding.pairs.some((i) => data.pairs[i]?.names.some((name) => name.toLowerCase().includes(text)));
}

/** Indices of the findings that a filter lets through, in the report's order. */
export function filtered(data: ClashData, filter: ClashFilter): number[] {
  const text = filter.text.trim().toLowerCase();
  return data.findings.flatMap((f, i) => {
    if (filter.hidden.has(f.class) || (f.allowed && !filter.allowed)) return [];
    if (filter.change !== "" && f.change !== filter.change) return [];
    return has_text(data, f, text) ? [i] : [];
  });
}

const key_of = (finding: ClashFinding, index: number, column: ClashColumn): number | string => {
  switch (column) {
    case "order": return index;
    case "title": return finding.title;
    case "class": return kClashClasses.indexOf(finding.class);
    case "status": return status_of(finding);
    case "distance": return finding.distance ?? Infinity;
    default: return finding[column];
  }
};

/** What is the same in this column stays in the report's order. */
export function sorted(data: ClashData, indices: number[], column: ClashColumn, descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  const compare = (a: number | string, b: number | string): number =>
    typeof a === "string" && typeof b === "string" ? a.localeCompare(b, "en", { numeric: true }) : a < b ? -1 : a > b ? 1 : 0;
  return [...indices].sort((i, j) =>
    sign * compare(key_of(data.findings[i], i, column), key_of(data.findings[j], j, column)) || i - j);
}

/** The objects of a pair, or null where one of them is not in the page: it never was, or it was removed. */
export function ids_of(report: Report, pair: ClashPair, there: { has(id: number): boolean }): [number, number] | null {
  const a = pair.a === null ? undefined : report.objects?.[pair.a];
  const b = pair.b === null ? undefined : report.objects?.[pair.b];
  return a === undefined || b === undefined || !there.has(a) || !there.has(b) ? null : [a, b];
}

export const shares_volume = (pair: ClashPair): boolean => !["near", "touching", "clear"].includes(pair.class);

export function box_around(target: Vec3, reach: number): Box {
  return {
    min: [target[0] - reach, target[1] - reach, target[2] - reach],
    max: [target[0] + reach, target[1] + reach, target[2] + reach],
  };
}
