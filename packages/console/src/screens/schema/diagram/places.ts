// The places of boxes: kept for a person and a service, and found for boxes that have none yet. Pure but for the storage.
import { type Box, boundsOf, type FieldChoice, type Frame, overlaps, type Point } from './boxes.ts';
import type { Places } from './layout/lay-out.ts';

const gap = 40;
/** A place further out than this is a mistake, not a drawing. */
const maxDistance = 1_000_000;
/** Tables of a diagram that are kept. */
const maxKept = 5000;

/** Frames sorted into squares, so that a place is compared with what is near it only. */
function gridOf(frames: Iterable<Frame>) {
  const side = 400;
  const squares = new Map<string, Frame[]>();
  const squaresOf = ({ x, y, width, height }: Frame) => {
    const keys: string[] = [];
    for (let column = Math.floor((x - gap) / side); column <= Math.floor((x + width + gap) / side); column += 1)
      for (let row = Math.floor((y - gap) / side); row <= Math.floor((y + height + gap) / side); row += 1)
        keys.push(`${column} ${row}`);
    return keys;
  };
  const add = (frame: Frame) => {
    for (const key of squaresOf(frame)) squares.set(key, [...(squares.get(key) ?? []), frame]);
  };
  for (const frame of frames) add(frame);
  const isFree = (frame: Frame) =>
    squaresOf(frame).every((key) => !squares.get(key)?.some((other) => overlaps(frame, other, gap / 2)));
  return { add, isFree };
}

/**
 * The places of all boxes: as they were for those that had one, free ones beside the rest for the others. Places of boxes
 * that are gone are left out.
 */
export function placeAll(
  boxes: ReadonlyMap<string, Box>,
  earlier: Places,
  related: (name: string) => string[],
): Places {
  const places: Places = new Map();
  const frameOf = (name: string, { x, y }: Point): Frame => {
    const { width, height } = boxes.get(name)!;
    return { x, y, width, height };
  };
  for (const [name, place] of earlier) if (boxes.has(name)) places.set(name, place);
  const grid = gridOf([...places].map(([name, place]) => frameOf(name, place)));
  for (const name of boxes.keys()) {
    if (places.has(name)) continue;
    const neighbour = related(name).find((other) => places.has(other));
    const place = freePlace(boxes.get(name)!, grid.isFree, neighbour && frameOf(neighbour, places.get(neighbour)!));
    const spot = place ?? below([...places].map(([other, point]) => frameOf(other, point)));
    places.set(name, spot);
    grid.add(frameOf(name, spot));
  }
  return places;
}

const below = (frames: Frame[]): Point => {
  const bounds = boundsOf(frames);
  return bounds ? { x: bounds.x, y: bounds.y + bounds.height + gap } : { x: 0, y: 0 };
};

/** A free place around a box it is related to; null when there is none near it, or no such box. */
function freePlace(
  { width, height }: Box,
  isFree: (frame: Frame) => boolean,
  near: Frame | undefined | '',
): Point | null {
  if (!near) return null;
  for (let ring = 1; ring <= 4; ring += 1)
    for (const [across, down] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, 1],
      [-1, 1],
      [1, -1],
      [-1, -1],
    ] as const) {
      const x = near.x + across * ring * ((across > 0 ? near.width : width) + 2 * gap);
      const y = near.y + down * ring * ((down > 0 ? near.height : height) + gap);
      if (isFree({ x, y, width, height })) return { x, y };
    }
  return null;
}

const keyOf = (person: number | undefined, service: string, choice: FieldChoice): string =>
  `sluice.diagram.${person ?? 'anyone'}.${choice}.${service}`;

const isPlace = (value: unknown): value is [string, number, number] =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === 'string' &&
  [value[1], value[2]].every((number) => typeof number === 'number' && Math.abs(number) <= maxDistance);

/** What was kept; anything unreadable counts as nothing. */
export function parsePlaces(text: string | null): Places {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return new Map();
    return new Map(stored.filter(isPlace).map(([name, x, y]) => [name, { x, y }]));
  } catch {
    return new Map();
  }
}

export const serializePlaces = (places: Places): string =>
  JSON.stringify([...places].slice(0, maxKept).map(([name, { x, y }]) => [name, Math.round(x), Math.round(y)]));

/** The places a person gave the tables of a service; one set for each choice of fields, whose boxes differ in height. */
export function placesStore(person: number | undefined, service: string, choice: FieldChoice) {
  const key = keyOf(person, service, choice);
  return {
    read: (): Places => parsePlaces(localStorage.getItem(key)),
    write: (places: Places): void => {
      try {
        localStorage.setItem(key, serializePlaces(places));
      } catch {
        // The browser's room is used up: the places last as long as the page.
      }
    },
    forget: (): void => localStorage.removeItem(key),
  };
}
