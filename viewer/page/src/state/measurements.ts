// What "Copy measurements" copies: the question, who is in it and where, and the engine's answer with all its digits.

import type { State } from "./store.ts";

export function measurements(state: State): object | null {
  const result = state.result;
  if (!result) return null;
  return {
    lamella: state.hello?.version ?? null,
    query: result.kind,
    options: result.options,
    objects: result.ids.map((id) => {
      const info = state.bodies.get(id)?.info;
      return {
        id,
        name: info?.name ?? null,
        source: info?.source ?? null,
        faces: info?.faces ?? null,
        volume: info?.volume ?? null,
        closed: info?.closed ?? null,
        deformed: info?.deformed ?? null,
        pose: info?.pose ?? null,
        ...(info?.simplified && { simplified_from_faces: info.simplified.faces }),
      };
    }),
    answer: without_arrays(result.reply.answer),
  };
}

/** Arrays of numbers that are drawn have no place among measurements. */
function without_arrays(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) return value.map(without_arrays);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, item]) => key !== "solid" && !ArrayBuffer.isView(item))
        .map(([key, item]) => [key, without_arrays(item)]),
    );
  return value;
}
