// Where labels go so that none covers another: above their places, moved up or down where more important ones are.

/** A label that is to be shown: where its place is on the screen and how large it is, in pixels. */
export interface Tag {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How far a label is moved, downwards, from where it would be alone. Without room near its place it is not shown. */
export interface Spot {
  shift: number;
  shown: boolean;
}

/** From a label's lower edge to its place, in parts of its height. */
const kLift = 0.4;
/** Pixels between labels. */
const kApart = 3;
/** How many heights a label is moved at most. */
const kFarthest = 3;

// What keeps labels from jumping to and fro where the camera turns: a label that was moved or hidden comes back when
// there is this much more room than it needs (in pixels to the sides, in heights up and down), and one that was moved
// up goes down only when that is nearer by so many heights.
const kMoreAside = 8;
const kMoreNear = 0.5;
const kMuchNearer = 1;

const home = (tag: Tag): number => tag.y - (1 + kLift) * tag.height;

/** Places labels, the most important first: it stays where it is, others make way. `before`: the spots of the same
 * labels when last drawn; `height`: of the view, which no label is moved out of. */
export function lay_out(tags: Tag[], before: (Spot | undefined)[], height: number): Spot[] {
  const placed: { x: number; width: number; top: number; height: number }[] = [];
  return tags.map((tag, i) => {
    const spot = find_spot(tag, before[i], placed, height);
    if (spot.shown) placed.push({ x: tag.x, width: tag.width, top: home(tag) + spot.shift, height: tag.height });
    return spot;
  });
}

function find_spot(
  tag: Tag, before: Spot | undefined, placed: { x: number; width: number; top: number; height: number }[], height: number,
): Spot {
  const moved = before !== undefined && (!before.shown || before.shift !== 0);
  const aside = kApart + (moved ? kMoreAside : 0);
  // The label's top edge must not lie between these.
  const taken = placed
    .filter((p) => Math.abs(p.x - tag.x) < (p.width + tag.width) / 2 + aside)
    .map((p) => [p.top - tag.height - kApart, p.top + p.height + kApart]);
  const top = home(tag);
  const free = (way: -1 | 1): number => {
    let at = top;
    for (let again = true; again; ) {
      again = false;
      for (const [low, high] of taken) {
        if (at <= low || at >= high) continue;
        at = way < 0 ? low : high;
        again = true;
      }
    }
    return at - top;
  };
  const farthest = tag.height * (kFarthest - (before?.shown === false ? kMoreNear : 0));
  const fits = (shift: number): boolean =>
    shift === 0 || (Math.abs(shift) <= farthest && top + shift >= 0 && top + shift + tag.height <= height);
  const up = free(-1), down = free(1);
  const shifts = [up, down].filter(fits);
  if (shifts.length === 0) return { shift: 0, shown: false };
  if (shifts.length === 1) return { shift: shifts[0], shown: true };
  const rather_up = before?.shown && before.shift !== 0 ? (before.shift < 0 ? kMuchNearer : -kMuchNearer) * tag.height : 0;
  return { shift: -up <= down + rather_up ? up : down, shown: true };
}

/** The line from a moved label to its place: its upper end and its length. None where the label lies on its place. */
export function leader(tag: Tag, spot: Spot): { top: number; length: number } | null {
  if (!spot.shown || spot.shift === 0) return null;
  const top = home(tag) + spot.shift;
  const bottom = top + tag.height;
  if (bottom < tag.y) return { top: bottom, length: tag.y - bottom };
  if (top > tag.y) return { top: tag.y, length: top - tag.y };
  return null;
}
