// Where the boxes stand: related ones in layers beside each other, groups of them packed, lone ones in a grid below. Pure, but
// slow for hundreds of boxes: run-layout.ts calls it from a worker.
import { Graph, layout } from '@dagrejs/dagre';
import type { Point, Size } from '../boxes.ts';

export interface LayoutBox extends Size {
  name: string;
}

export interface LayoutRequest {
  boxes: LayoutBox[];
  /** Pairs of names. */
  lines: [string, string][];
}

/** Positions by name, of the top left corners. */
export type Places = Map<string, Point>;

const rowGap = 28;
const layerGap = 90;
const groupGap = 100;
/** A larger group is cut: layers of hundreds of boxes take seconds and leave most of the picture empty. */
const maxGroup = 50;
/** What so many tables are related to is a hub: layers would stretch to reach it. */
const hubDegree = 15;
/** Width to height of the whole, as most windows are. */
const aspect = 1.6;

interface Group extends Size {
  places: Places;
}

export function layOut({ boxes, lines }: LayoutRequest): Places {
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const neighbours = new Map<string, string[]>(boxes.map(({ name }) => [name, []]));
  for (const [from, to] of lines) {
    if (from === to) continue;
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const lone = boxes.filter(({ name }) => neighbours.get(name)!.length === 0);
  const groups = groupsOf(boxes, neighbours).map((names) => {
    const members = new Set(names);
    const inside = lines.filter(([from, to]) => from !== to && members.has(from) && members.has(to));
    return layered(
      names.map((name) => byName.get(name)!),
      withoutHubs(inside),
    );
  });
  const airy = pack(
    groups.map((group) => group.airy),
    groupGap,
  );
  const close = pack(
    groups.map((group) => group.close),
    groupGap,
  );
  // Room between boxes is worth having, but not when names get too small for it.
  const related = extent(close) < 0.85 * extent(airy) ? close : airy;
  const rest = pack(
    lone.map(({ name, width, height }) => ({ width, height, places: new Map([[name, { x: 0, y: 0 }]]) })),
    rowGap,
    related.width,
  );
  const places = new Map(related.places);
  const top = groups.length > 0 ? related.height + groupGap : 0;
  for (const [name, { x, y }] of rest.places) places.set(name, { x, y: y + top });
  return places;
}

/** The lines that layers are made by: those to a hub only of boxes that have no others. */
function withoutHubs(lines: [string, string][]): [string, string][] {
  const degrees = new Map<string, number>();
  for (const name of lines.flat()) degrees.set(name, (degrees.get(name) ?? 0) + 1);
  const isHub = (name: string) => degrees.get(name)! >= hubDegree;
  const others = lines.filter((line) => !line.some(isHub));
  const placed = new Set(others.flat());
  return lines.filter((line) => !line.some(isHub) || line.some((name) => !isHub(name) && !placed.has(name)));
}

/** Related boxes together, at most `maxGroup`: each group grows by the box with the most lines into it. */
function groupsOf(boxes: LayoutBox[], neighbours: Map<string, string[]>): string[][] {
  const degree = (name: string) => neighbours.get(name)!.length;
  // A line to what half of the tables refer to says little about what belongs together.
  const weight = (one: string, other: string) => 1 / Math.max(degree(one), degree(other));
  const left = new Set(boxes.filter(({ name }) => degree(name) > 0).map(({ name }) => name));
  const seeds = [...left].sort((a, b) => degree(b) - degree(a));
  const groups: string[][] = [];
  const strays: string[] = [];
  for (const seed of seeds) {
    if (!left.has(seed)) continue;
    const group: string[] = [];
    const pull = new Map([[seed, 0]]);
    while (pull.size > 0 && group.length < maxGroup) {
      let best = '';
      for (const [name, force] of pull) if (best === '' || force > pull.get(best)!) best = name;
      pull.delete(best);
      left.delete(best);
      group.push(best);
      for (const other of neighbours.get(best)!)
        if (left.has(other)) pull.set(other, (pull.get(other) ?? 0) + weight(best, other));
    }
    if (group.length === 1) strays.push(seed);
    else groups.push(group);
  }
  // What the cut leaves alone joins the group of a neighbour.
  for (const name of strays) {
    const home = groups.find((group) => neighbours.get(name)!.some((other) => group.includes(other)));
    if (home) home.push(name);
    else groups.push([name]);
  }
  return groups;
}

/** Boxes in layers, and the same moved together. */
function layered(boxes: LayoutBox[], lines: [string, string][]): { airy: Group; close: Group } {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'RL', nodesep: rowGap, ranksep: layerGap });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name, width, height } of boxes) graph.setNode(name, { width, height });
  for (const [from, to] of lines) graph.setEdge(from, to);
  layout(graph);
  const places: Places = new Map();
  for (const { name, width, height } of boxes) {
    const { x, y } = graph.node(name) as Point;
    places.set(name, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) });
  }
  return { airy: cropped(boxes, places), close: cropped(boxes, closeUp(boxes, places)) };
}

/** The height of the window that shows all of it. */
const extent = ({ width, height }: Size): number => Math.max(width / aspect, height);

/**
 * Moves the boxes of each layer together, and breaks layers much higher than a window into columns: what refers to one table
 * stands in one layer, be it hundreds.
 */
function closeUp(boxes: LayoutBox[], places: Places): Places {
  const layers = new Map<number, LayoutBox[]>();
  for (const box of boxes) {
    const centre = Math.round((places.get(box.name)!.x + box.width / 2) / 10);
    layers.set(centre, [...(layers.get(centre) ?? []), box]);
  }
  const heightOf = (column: LayoutBox[]) => column.reduce((sum, { height }) => sum + height + rowGap, -rowGap);
  const area = boxes.reduce((sum, { width, height }) => sum + (width + layerGap) * (height + rowGap), 0);
  const limit = Math.max(...boxes.map(({ height }) => height), Math.sqrt(area / aspect));
  const columns = [...layers]
    .sort(([a], [b]) => a - b)
    .flatMap(([, layer]) => {
      const inOrder = layer.sort((a, b) => places.get(a.name)!.y - places.get(b.name)!.y);
      return columnsOf(inOrder, heightOf(layer) / Math.max(1, Math.round(heightOf(layer) / limit)));
    });
  const next: Places = new Map();
  let left = 0;
  for (const column of columns) {
    let top = -heightOf(column) / 2;
    for (const { name, height } of column) {
      next.set(name, { x: left, y: Math.round(top) });
      top += height + rowGap;
    }
    left += Math.max(...column.map(({ width }) => width)) + layerGap;
  }
  return next;
}

/** Boxes in columns of about a height. */
function columnsOf(boxes: LayoutBox[], height: number): LayoutBox[][] {
  const columns: LayoutBox[][] = [];
  let room = 0;
  for (const box of boxes) {
    if (room < box.height / 2) {
      columns.push([]);
      room = height;
    }
    columns.at(-1)!.push(box);
    room -= box.height + rowGap;
  }
  return columns;
}

/** Moves places so that they begin at 0, 0. */
function cropped(boxes: LayoutBox[], places: Places): Group {
  const corners = boxes.map(({ name, width, height }) => ({ ...places.get(name)!, width, height }));
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  return {
    places: new Map([...places].map(([name, { x, y }]) => [name, { x: x - left, y: y - top }])),
    width: Math.max(...corners.map(({ x, width }) => x + width)) - left,
    height: Math.max(...corners.map(({ y, height }) => y + height)) - top,
  };
}

/** Puts groups side by side in columns of about equal height, the largest first. */
function pack(groups: Group[], gap: number, minWidth = 0): Group {
  const area = groups.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = Math.max(minWidth, ...groups.map(({ width }) => width), Math.sqrt(area * aspect));
  const places: Places = new Map();
  const whole = { width: 0, height: 0 };
  // The lowest edge so far over each stretch of the width.
  let skyline = [{ x: 0, width: widest, y: 0 }];
  for (const group of [...groups].sort((a, b) => b.height - a.height)) {
    let spot: Point | null = null;
    for (const { x } of skyline) {
      if (x > 0 && x + group.width > widest) continue;
      const y = Math.max(
        ...skyline.filter((part) => part.x < x + group.width && part.x + part.width > x).map((part) => part.y),
      );
      if (!spot || y < spot.y) spot = { x, y };
    }
    const { x, y } = spot ?? { x: 0, y: whole.height };
    for (const [name, place] of group.places) places.set(name, { x: place.x + x, y: place.y + y });
    whole.width = Math.max(whole.width, x + group.width);
    whole.height = Math.max(whole.height, y + group.height);
    skyline = raised(skyline, { x, width: group.width + gap, y: y + group.height + gap });
  }
  return { places, ...whole };
}

type Stretch = { x: number; width: number; y: number };

function raised(skyline: Stretch[], top: Stretch): Stretch[] {
  const end = top.x + top.width;
  const rest = skyline.flatMap((part) => {
    const partEnd = part.x + part.width;
    const pieces: Stretch[] = [];
    if (part.x < top.x) pieces.push({ ...part, width: Math.min(partEnd, top.x) - part.x });
    if (partEnd > end) {
      const x = Math.max(part.x, end);
      pieces.push({ x, width: partEnd - x, y: part.y });
    }
    return pieces;
  });
  return [...rest, top].sort((a, b) => a.x - b.x);
}
