// What is drawn, as data: the screen shows shapes as elements, an export writes them as markup. Pure.
import {
  type Box,
  type Frame,
  fieldSize,
  fitText,
  headHeight,
  markWidth,
  nameSize,
  padding,
  rowHeight,
  rowMiddle,
  textWidth,
  typeSize,
} from './boxes.ts';
import type { DiagramLine, LineEnd } from './model.ts';

/** The colours a shape may have: tokens of the theme. */
export const paints = {
  page: '--s-page',
  surface: '--s-surface',
  head: '--s-sunken',
  edge: '--s-line-strong',
  line: '--s-text-soft',
  text: '--s-text',
  soft: '--s-text-soft',
  accent: '--s-accent',
  match: '--s-warning-soft',
} as const;
export type Paint = keyof typeof paints;

export interface Shape {
  tag: 'rect' | 'path' | 'text' | 'circle';
  attributes: Record<string, string | number>;
  fill: Paint | 'none';
  stroke?: Paint;
  text?: string;
}

/** How much of a box is legible: its fields, its name, or only that it is there. */
export type Detail = 'fields' | 'name' | 'none';

export const detailAt = (zoom: number): Detail => (zoom >= 0.5 ? 'fields' : zoom >= 0.16 ? 'name' : 'none');

const corner = 6;

const frameOf = ({ width, height }: Box): Shape => ({
  tag: 'rect',
  attributes: { x: 0, y: 0, width, height, rx: corner },
  fill: 'surface',
  stroke: 'edge',
});

/** A frame whose edge is as fine on screen however small it is. */
const fineFrameOf = (box: Box): Shape => {
  const frame = frameOf(box);
  return { ...frame, attributes: { ...frame.attributes, 'vector-effect': 'non-scaling-stroke' } };
};

const textAt = (text: string, x: number, y: number, size: number, fill: Paint, more = {}): Shape => ({
  tag: 'text',
  attributes: { x, y: Math.round((y + size * 0.36) * 10) / 10, 'font-size': size, ...more },
  fill,
  text,
});

/** The shapes of a box from its top left corner. `matching` fields stand out. */
export function boxShapes(box: Box, detail: Detail, matching?: ReadonlySet<string>): Shape[] {
  const { table, fields, more, width, height } = box;
  if (detail === 'none') return [{ ...frameOf(box), fill: 'edge', stroke: 'page' }];
  if (detail === 'name') return [fineFrameOf(box), ...largeName(box)];
  const head = `M0 ${headHeight}V${corner}Q0 0 ${corner} 0H${width - corner}Q${width} 0 ${width} ${corner}V${headHeight}Z`;
  const name = fitText(table.name, width - 2 * padding, nameSize * 1.08);
  const shapes: Shape[] = [
    frameOf(box),
    height > headHeight
      ? { tag: 'path', attributes: { d: head }, fill: 'head', stroke: 'edge' }
      : { ...frameOf(box), fill: 'head' },
    textAt(name, padding, headHeight / 2, nameSize, 'text', { 'font-weight': 600 }),
  ];
  for (const field of fields) {
    const y = rowMiddle(box, field.name);
    const typeWidth = Math.min(90, textWidth(field.type, typeSize));
    const nameWidth = width - 2 * padding - markWidth - typeWidth - 8;
    if (matching?.has(field.name))
      shapes.push({
        tag: 'rect',
        attributes: { x: 1, y: y - rowHeight / 2, width: width - 2, height: rowHeight },
        fill: 'match',
      });
    const mark = field.isKey ? 'PK' : field.isReference ? 'FK' : null;
    if (mark) {
      const paint = field.isKey ? 'accent' : 'soft';
      shapes.push(textAt(mark, padding, y, 9, paint, { 'font-weight': 700 }));
    }
    shapes.push(
      textAt(fitText(field.name, nameWidth, fieldSize), padding + markWidth, y, fieldSize, 'text'),
      textAt(fitText(field.type, typeWidth, typeSize), width - padding, y, typeSize, 'soft', { 'text-anchor': 'end' }),
    );
  }
  if (more > 0) shapes.push(textAt(`+ ${more}`, padding + markWidth, rowMiddle(box, undefined), fieldSize, 'soft'));
  return shapes;
}

/** Sizes of a name that fills a box; of these the largest that fits. */
const largeSizes = [44, 36, 26];
/** Whether a name that fills a box can be read, be it the smallest. */
export const isNameLegible = (zoom: number): boolean => largeSizes.at(-1)! * zoom >= 11;

/** The name over the box, as large as fits, broken where its words end. */
function largeName({ table, width, height }: Box): Shape[] {
  // Bold letters are somewhat wider.
  const room = (width - 2 * padding) / 1.1;
  const parts = table.name.match(/[^_\s.-]+[_\s.-]*|[_\s.-]+/g) ?? [table.name];
  const rowsAt = (size: number) => {
    const rows: string[] = [];
    for (const part of parts) {
      const last = rows.at(-1);
      if (last !== undefined && textWidth(last + part, size) <= room) rows[rows.length - 1] = last + part;
      else rows.push(part);
    }
    return rows;
  };
  const lineOf = (size: number) => Math.round(size * 1.15);
  const maxLinesAt = (size: number) => Math.max(1, Math.floor((height - 4) / lineOf(size)));
  const fits = (size: number) => {
    const rows = rowsAt(size);
    return rows.length <= maxLinesAt(size) && rows.every((row) => textWidth(row, size) <= room);
  };
  const size = largeSizes.find(fits) ?? largeSizes.at(-1)!;
  const rows = rowsAt(size);
  const shown = rows.slice(0, maxLinesAt(size));
  if (rows.length > shown.length) shown[shown.length - 1] += '…';
  const top = height / 2 - ((shown.length - 1) * lineOf(size)) / 2;
  return shown.map((row, index) =>
    textAt(fitText(row, room, size), width / 2, top + index * lineOf(size), size, 'text', {
      'text-anchor': 'middle',
      'font-weight': 600,
    }),
  );
}

/** A box and where it stands. */
export interface PlacedBox extends Box {
  x: number;
  y: number;
}

export const placed = (box: Box, { x, y }: { x: number; y: number }): PlacedBox => ({ ...box, x, y });

/** A line on its way between two boxes. */
export interface Route {
  line: DiagramLine;
  /** Of the line itself, then of the signs at its ends. */
  d: string;
  ends: string;
  bounds: Frame;
}

interface Anchor {
  x: number;
  y: number;
  /** 1: the line leaves to the right. */
  way: 1 | -1;
}

/** Room of a sign at the end of a line. */
const endLength = 16;
const step = 6;

/** How far the lines that reach the same row of a box stand apart, by line and side. */
export type Lanes = ReadonlyMap<string, number>;

/** Numbers the lines which reach the same row of the same box, so that each has its own place: 0, 1, -1, 2 … */
export function lanesOf(lines: readonly DiagramLine[]): Lanes {
  const counts = new Map<string, number>();
  const lanes = new Map<string, number>();
  for (const { id, from, to } of lines)
    for (const [side, { table, fields }] of [['from', from] as const, ['to', to] as const]) {
      const row = JSON.stringify([table, fields[0]]);
      const count = counts.get(row) ?? 0;
      counts.set(row, count + 1);
      lanes.set(`${side} ${id}`, Math.ceil(count / 2) * (count % 2 ? 1 : -1));
    }
  return lanes;
}

const maxShift = rowHeight / 2 - 3;

/** The way of a line between the boxes of its tables. */
export function routeOf(line: DiagramLine, from: PlacedBox, to: PlacedBox, lanes: Lanes): Route {
  const fromLane = lanes.get(`from ${line.id}`) ?? 0;
  const toLane = lanes.get(`to ${line.id}`) ?? 0;
  const [fromWay, toWay] = waysOf(from, to);
  const start = anchorOf(from, line.from.fields[0], fromWay, fromLane);
  const end = anchorOf(to, line.to.fields[0], toWay, toLane);
  if (from === to && start.y === end.y) end.y += step;
  const spread = Math.abs(fromLane) * step;
  // Boxes above each other: the line goes round their sides.
  const bend = fromWay === toWay ? 44 + spread : Math.max(40, Math.abs(end.x - start.x) / 2) + spread;
  const startX = start.x + start.way * endLength;
  const endX = end.x + end.way * endLength;
  const firstX = startX + start.way * (bend - endLength);
  const secondX = endX + end.way * (bend - endLength);
  const d = `M${start.x} ${start.y}H${startX}C${firstX} ${start.y} ${secondX} ${end.y} ${endX} ${end.y}H${end.x}`;
  const xs = [start.x, end.x, firstX, secondX];
  const ys = [start.y, end.y];
  const left = Math.min(...xs);
  const top = Math.min(...ys) - step;
  return {
    line,
    d,
    ends: endSign(start, line.from.end) + endSign(end, line.to.end),
    bounds: { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) + step - top },
  };
}

/** At which sides of the boxes a line begins and ends. */
function waysOf(from: PlacedBox, to: PlacedBox): [1 | -1, 1 | -1] {
  const gap = 2 * endLength;
  if (from.table.name === to.table.name) return [1, 1];
  if (from.x + from.width + gap <= to.x) return [1, -1];
  if (to.x + to.width + gap <= from.x) return [-1, 1];
  return from.x + from.width >= to.x + to.width ? [1, 1] : [-1, -1];
}

function anchorOf(box: PlacedBox, field: string | undefined, way: 1 | -1, lane: number): Anchor {
  const shift = Math.max(-maxShift, Math.min(maxShift, lane * 3));
  return { x: way === 1 ? box.x + box.width : box.x, y: box.y + rowMiddle(box, field) + shift, way };
}

/** A crow's foot for many, a bar for one, a circle and a bar for one or none. */
function endSign({ x, y, way }: Anchor, end: LineEnd): string {
  const at = (distance: number) => Math.round((x + way * distance) * 10) / 10;
  if (end === 'many') return `M${at(10)} ${y}L${at(0)} ${y - 5}M${at(10)} ${y}L${at(0)} ${y + 5}`;
  const bar = `M${at(6)} ${y - 5}V${y + 5}`;
  if (end === 'one') return bar;
  return `${bar}M${at(9)} ${y}a3 3 0 1 0 ${way * 6} 0a3 3 0 1 0 ${-way * 6} 0`;
}
