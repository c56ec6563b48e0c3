// Plays simulations: live ones, a step at a time, and the frames of reports. Frames that were made are kept, as long as
// there is room, so that one can go back.

import type { Session } from "../engine/session.ts";
import type { Box, FilmFrame, ReportFrames, Vec3 } from "../engine/types.ts";
import type { FilmLook, FilmPlaces, FilmView } from "../view/film.ts";

const kMostBytes = 384 * 2 ** 20;

export interface KeptFrame {
  look: FilmLook;
  places: FilmPlaces;
  figures: Record<string, number>;
  note: string;
}

export interface Film {
  name: string;
  /** Of the newest frame. */
  look: FilmLook;
  frames: KeptFrame[];
  at: number;
  playing: boolean;
  live: boolean;
  rate: number;
  /** Why no more frames are made. */
  full: boolean;
  bounds: Box | null;
  looking: Vec3 | null;
}

export class Projector {
  film: Film | null = null;
  private bytes = 0;
  private stepping = false;
  private clock = 0;
  private waiters: (() => void)[] = [];

  constructor(
    private session: Session,
    private view: FilmView,
    private on_change: () => void,
    private on_error: (error: unknown) => void,
  ) {}

  async start(name: string, members: object = {}): Promise<void> {
    const first = await this.session.call<FilmFrame>("simulate", { name, ...members });
    const look: FilmLook = {
      solids: first.solids.map((s) => ({ triangles: s.triangles!.slice(), color: s.color, opacity: s.opacity })),
      dots: first.dots.map((d) => ({ color: d.color, radius: d.radius })),
    };
    this.bytes = 0;
    this.film = {
      name, look, frames: [], at: 0, playing: false, live: true, rate: 60, full: false,
      bounds: first.bounds ?? null, looking: first.looking ?? null,
    };
    this.keep(first);
    this.go(0);
  }

  play_report(name: string, frames: ReportFrames): void {
    const look = { solids: frames.solids, dots: frames.dots };
    this.film = {
      name, look,
      frames: report_frames(frames, look),
      at: 0, playing: false, live: false, rate: frames.rate || 30, full: false,
      bounds: frames.bounds ?? null, looking: frames.looking ?? null,
    };
    this.go(0);
  }

  async end(): Promise<void> {
    const live = this.film?.live;
    if (this.film) this.film.playing = false;
    await this.idle();
    this.film = null;
    this.view.clear();
    if (live) await this.session.call("end_simulation");
    this.on_change();
  }

  go(frame: number): void {
    const film = this.film;
    if (!film) return;
    film.at = Math.max(0, Math.min(film.frames.length - 1, Math.round(frame)));
    this.view.show(film.frames[film.at].look, film.frames[film.at].places);
    this.on_change();
  }

  set_playing(playing: boolean): void {
    const film = this.film;
    if (!film || film.playing === playing) return;
    if (playing && film.at + 1 >= film.frames.length && (!film.live || film.full)) this.go(0);
    film.playing = playing;
    this.clock = performance.now();
    if (playing) void this.play();
    this.on_change();
  }

  /** One frame on: a kept one, or a new one. */
  async step(): Promise<void> {
    const film = this.film;
    if (!film || this.stepping) return;
    if (film.at + 1 < film.frames.length) return this.go(film.at + 1);
    if (!film.live || film.full) {
      film.playing = false;
      return this.on_change();
    }
    this.stepping = true;
    try {
      const frame = await this.session.call<FilmFrame>("step", { count: 1 });
      if (this.film === film) {
        this.keep(frame);
        this.go(film.frames.length - 1);
      }
    } catch (error) {
      film.playing = false;
      this.on_error(error);
    } finally {
      this.stepping = false;
      for (const done of this.waiters.splice(0)) done();
    }
  }

  idle(): Promise<void> {
    return this.stepping ? new Promise((resolve) => this.waiters.push(resolve)) : Promise.resolve();
  }

  private async play(): Promise<void> {
    const film = this.film;
    while (film && this.film === film && film.playing) {
      await this.step();
      // No faster than the world's clock; an engine that is slower sets the pace.
      this.clock = Math.max(this.clock + 1000 / film.rate, performance.now() - 100);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.clock - performance.now())));
    }
  }

  private keep(frame: FilmFrame): void {
    const film = this.film!;
    film.look = look_with(film.look, frame.solids);
    const places: FilmPlaces = {
      positions: frame.solids.map((s) => s.positions.slice()),
      poses: null,
      colors: Uint8Array.from(frame.solids.flatMap((s) => s.color)),
      dots: frame.dots.map((d) => d.positions.slice()),
    };
    for (const array of [...places.positions, ...places.dots]) this.bytes += array.byteLength;
    film.frames.push({ look: film.look, places, figures: flat_figures(frame.figures), note: frame.note ?? "" });
    film.full = this.bytes > kMostBytes;
  }
}

/** The look with the triangles that a frame tells anew: the engine tells them once, and where they change. */
export function look_with(look: FilmLook, told: Pick<FilmFrame["solids"][number], "triangles">[]): FilmLook {
  const is_new = (i: number): boolean => {
    const triangles = told[i]?.triangles;
    return triangles !== undefined && !same_numbers(triangles, look.solids[i].triangles);
  };
  if (!look.solids.some((_, i) => is_new(i))) return look;
  return { ...look, solids: look.solids.map((solid, i) => (is_new(i) ? { ...solid, triangles: told[i].triangles!.slice() } : solid)) };
}

const same_numbers = (a: Uint32Array, b: Uint32Array): boolean => a.length === b.length && a.every((x, i) => x === b[i]);

/** Frames with all their places: what a step leaves out it has from the one before. */
export function report_frames({ steps }: Pick<ReportFrames, "steps">, look: FilmLook): KeptFrame[] {
  let last: (Float32Array | null)[] = [];
  return steps.map((step) => {
    last = step.positions.map((positions, k) => positions ?? last[k] ?? new Float32Array(0));
    return {
      look,
      places: { positions: last as Float32Array[], poses: step.poses ?? null, colors: step.colors ?? null, dots: step.dots },
      figures: flat_figures(step.figures),
      note: step.note ?? "",
    };
  });
}

/** Figures that can be plotted, by name; those within others get both names. */
export function flat_figures(figures: Record<string, unknown>, prefix = ""): Record<string, number> {
  const out: Record<string, number> = {};
  for (const [key, value] of Object.entries(figures ?? {})) {
    if (typeof value === "number") out[prefix + key] = value;
    else if (typeof value === "object" && value !== null && !Array.isArray(value))
      Object.assign(out, flat_figures(value as Record<string, unknown>, `${prefix}${key}.`));
  }
  return out;
}
