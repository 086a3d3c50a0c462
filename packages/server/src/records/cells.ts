import type { MaybePromise } from '@sluice/contract';
import { takeTurn } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';

const literals = new Map<unknown, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * CSV and XML know only text: "true", "false" and "null" become their values, and empty cells count as absent
 * (contract/system-resources.md §2). Other bodies pass unchanged. Of large ones others have their turn in between.
 */
export function readTextCells(call: Pick<Call, 'header'>, payload: unknown): MaybePromise<unknown> {
  if (!/\b(csv|xml)\b/i.test(call.header('content-type') ?? '')) return payload;
  const reading = readValue(payload, { cells: 0 });
  const first = reading.next();
  return first.done ? first.value : readOn(reading);
}

/** Pauses wherever others are to have their turn. */
type Reading = Generator<void, unknown, void>;

async function readOn(reading: Reading): Promise<unknown> {
  for (;;) {
    await takeTurn();
    const step = reading.next();
    if (step.done) return step.value;
  }
}

const cellsPerTurn = 5000;

function* readValue(value: unknown, progress: { cells: number }): Reading {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (++progress.cells % cellsPerTurn === 0) yield;
      items.push(isStructure(item) ? yield* readValue(item, progress) : readCell(item));
    }
    return items;
  }
  if (!isRecord(value)) return readCell(value);
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (++progress.cells % cellsPerTurn === 0) yield;
    const cell = value[name];
    if (cell !== '') entries.push([name, isStructure(cell) ? yield* readValue(cell, progress) : readCell(cell)]);
  }
  return Object.fromEntries(entries);
}

const isStructure = (value: unknown) => typeof value === 'object' && value !== null;

const readCell = (cell: unknown): unknown => (literals.has(cell) ? literals.get(cell) : cell);
