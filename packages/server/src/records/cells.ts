import type { MaybePromise } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';

const literals = new Map<unknown, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * CSV and XML know only text: "true", "false" and "null" become their values, and empty cells count as absent
 * (contract/system-resources.md §2). Other bodies pass unchanged.
 */
export function readTextCells(call: Pick<Call, 'header'>, payload: unknown): MaybePromise<unknown> {
  return /\b(csv|xml)\b/i.test(call.header('content-type') ?? '') ? readValue(payload) : payload;
}

async function readValue(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      await pause();
      items.push(isStructure(item) ? await readValue(item) : readCell(item));
    }
    return items;
  }
  if (!isRecord(value)) return readCell(value);
  const entries: [string, unknown][] = [];
  for (const [name, cell] of Object.entries(value))
    if (cell !== '') entries.push([name, isStructure(cell) ? await readValue(cell) : readCell(cell)]);
  return Object.fromEntries(entries);
}

const isStructure = (value: unknown) => typeof value === 'object' && value !== null;

const readCell = (cell: unknown): unknown => (literals.has(cell) ? literals.get(cell) : cell);
