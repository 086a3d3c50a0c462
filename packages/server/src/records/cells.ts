import type { MaybePromise } from '@sluice/contract';
import { takeTurn } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';

const literals = new Map<string, unknown>([
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
  return countCells(payload, cellsPerTurn) > cellsPerTurn ? readInTurns(payload) : typedValue(payload);
}

const cellsPerTurn = 5000;

/** The values of a value, itself included, or more than `limit`. */
function countCells(value: unknown, limit: number): number {
  let count = 1;
  if (typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) {
      count += countCells((value as Record<string, unknown>)[name], limit - count);
      if (count > limit) break;
    }
  return count;
}

async function readInTurns(payload: unknown): Promise<unknown> {
  let left = cellsPerTurn;
  const read = async (value: unknown): Promise<unknown> => {
    const count = countCells(value, cellsPerTurn);
    if (count <= cellsPerTurn) {
      if (count > left) {
        await takeTurn();
        left = cellsPerTurn;
      }
      left -= count;
      return typedValue(value);
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await read(item));
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [name, cell] of Object.entries(value as object)) if (cell !== '') entries.push([name, await read(cell)]);
    return Object.fromEntries(entries);
  };
  return read(payload);
}

function typedValue(value: unknown): unknown {
  if (typeof value === 'string') return literals.has(value) ? literals.get(value) : value;
  if (Array.isArray(value)) return value.map(typedValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, cell]) => cell !== '')
      .map(([name, cell]) => [name, typedValue(cell)]),
  );
}
