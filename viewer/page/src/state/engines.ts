// Which engine answers: one that another program had may not be here.

import type { Hello, QueryOptions } from "../engine/types.ts";

/** The options as they can be asked with here, and which engine had to be left out of them. */
export function options_here(options: QueryOptions, hello: Hello | null): { options: QueryOptions; missing: string | null } {
  const { engine, ...others } = options;
  const known = engine === undefined || engine === "automatic" || (hello?.engines.some((e) => e.name === engine && e.available) ?? true);
  return known ? { options, missing: null } : { options: others, missing: engine };
}

/** Says so when the engine that was asked for is not here; `engine`: the one that answered, if one did. */
export function missing_text(missing: string | null, engine: string | undefined): string {
  return missing === null ? "" : `The engine ${missing} is not here: computed here by ${engine ?? "another"}.`;
}
