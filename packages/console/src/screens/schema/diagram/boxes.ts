// The measures of a table's box and of the text in it, in units of the drawing: pixels at 100 %. Pure.
import type { DiagramField, DiagramTable } from './model.ts';

/** Which fields a box shows. */
export const fieldChoices = ['all', 'keys'] as const;
export type FieldChoice = (typeof fieldChoices)[number];

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Frame = Point & Size;

/** A table with what its box shows. */
export interface Box extends Size {
  table: DiagramTable;
  fields: DiagramField[];
  /** How many fields are left out. */
  more: number;
}

export const headHeight = 32;
export const rowHeight = 20;
export const padding = 10;
/** Room of the marks PK and FK. */
export const markWidth = 24;
export const nameSize = 13;
export const fieldSize = 12;
export const typeSize = 11;
const bottom = 6;
const minWidth = 170;
const maxWidth = 300;
const maxFields = 20;

/** How wide a letter is, in parts of the font's size. */
function letterWidth(letter: string): number {
  if (letter > '\u2e80') return 1;
  if (narrow.test(letter)) return 0.33;
  if (wide.test(letter)) return 0.88;
  return letter >= 'A' && letter <= 'Z' ? 0.68 : 0.58;
}
const narrow = /[ijltfrI.,:;'|()[\]! ]/;
const wide = /[mwMW@%]/;
/** Of each of the first 128 characters: a thousand boxes have half a million letters. */
const plainWidths = Array.from({ length: 128 }, (_, code) => letterWidth(String.fromCharCode(code)));

/** About how wide a text of the interface's typeface is. */
export function textWidth(text: string, fontSize: number): number {
  let em = 0;
  for (const letter of text) em += plainWidths[letter.charCodeAt(0)] ?? letterWidth(letter);
  return em * fontSize;
}

/** A text cut to a width. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  let cut = '';
  for (const letter of text) {
    if (textWidth(`${cut}${letter}…`, fontSize) > width) break;
    cut += letter;
  }
  return `${cut}…`;
}

const fieldWidth = ({ name, type }: DiagramField): number =>
  2 * padding + markWidth + textWidth(name, fieldSize) + 12 + textWidth(type, typeSize);

/** The box of a table. Keys are primary keys and references. */
export function boxOf(table: DiagramTable, choice: FieldChoice): Box {
  const chosen =
    choice === 'all' ? table.fields : table.fields.filter(({ isKey, isReference }) => isKey || isReference);
  const fields = chosen.slice(0, maxFields);
  const more = chosen.length - fields.length;
  const widths = [2 * padding + textWidth(table.name, nameSize) * 1.08, ...fields.map(fieldWidth)];
  const rows = fields.length + (more > 0 ? 1 : 0);
  return {
    ...{ table, fields, more },
    width: Math.ceil(Math.min(maxWidth, Math.max(minWidth, ...widths))),
    height: headHeight + rows * rowHeight + (rows > 0 ? bottom : 0),
  };
}

/** The middle of a field's row from the top of its box; of the last row, or of the head, when it has none. */
export function rowMiddle({ fields, more }: Box, name: string | undefined): number {
  const index = fields.findIndex((field) => field.name === name);
  if (index >= 0) return headHeight + (index + 0.5) * rowHeight;
  return more > 0 ? headHeight + (fields.length + 0.5) * rowHeight : headHeight / 2;
}

/** What holds all of the frames; null without any. */
export function boundsOf(frames: Iterable<Frame>): Frame | null {
  let left = Number.POSITIVE_INFINITY;
  let top = left;
  let right = -left;
  let low = -left;
  for (const { x, y, width, height } of frames) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    low = Math.max(low, y + height);
  }
  return left <= right ? { x: left, y: top, width: right - left, height: low - top } : null;
}

export const overlaps = (a: Frame, b: Frame, gap = 0): boolean =>
  a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;
