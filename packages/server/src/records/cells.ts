import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';

const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * CSV and XML know only text: "true", "false" and "null" become their values, and empty cells count as absent
 * (contract/system-resources.md §2). Other bodies pass unchanged.
 */
export function readTextCells(call: Pick<Call, 'header'>, payload: unknown): unknown {
  return /\b(csv|xml)\b/i.test(call.header('content-type') ?? '') ? typedValue(payload) : payload;
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
