// db_function: SQL an administrator puts in the place of a column (contract/database-tables.md §9).
import { fail } from '@sluice/contract';
import type { ColumnExpressions } from '@sluice/sql';
import { isRecord, wordOf } from '../../call/payload.ts';

/** As it is stored and shown. */
export interface FieldFunction {
  use: string[];
  function: string;
  function_type: string;
}

const uses = new Map<string, keyof ColumnExpressions>([
  ['SELECT', 'select'],
  ['FILTER', 'filter'],
  ['INSERT', 'insert'],
  ['UPDATE', 'update'],
]);

/** What stands for the column; undefined when nothing does. The first function of each use counts. */
export function expressionsOf(functions: unknown[] | null): ColumnExpressions | undefined {
  const expressions: ColumnExpressions = {};
  for (const { use, function: text } of (functions ?? []) as FieldFunction[])
    for (const name of use) {
      const place = uses.get(name);
      if (place) expressions[place] ??= text;
    }
  return Object.keys(expressions).length > 0 ? expressions : undefined;
}

const most = { functions: 10, text: 2000 };

/**
 * Reads the functions of a field as they are sent: a list of them, or one.
 * Throws `schema.function` for what is none.
 */
export function readFunctions(sent: unknown, field: string): FieldFunction[] | null {
  if (sent === null || sent === '') return null;
  const list = Array.isArray(sent) ? sent : [sent];
  if (list.length > most.functions) throw fail('schema.function', { field, problem: 'there are too many' });
  const functions = list.map((it) => readFunction(it, field));
  return functions.length > 0 ? functions : null;
}

function readFunction(sent: unknown, field: string): FieldFunction {
  const refuse = (problem: string): never => {
    throw fail('schema.function', { field, problem });
  };
  if (!isRecord(sent)) return refuse('it must have "use" and "function"');
  const use = [sent.use].flat().map((it) => wordOf(it).toUpperCase());
  if (use.length === 0 || use.some((word) => !uses.has(word)))
    refuse('"use" must be a list of SELECT, FILTER, INSERT and UPDATE');
  const text = typeof sent.function === 'string' ? sent.function.trim() : '';
  if (text === '') refuse('"function" must be a text');
  if (text.length > most.text) refuse(`it is longer than ${most.text} characters`);
  const problem = problemOf(text, use);
  if (problem) refuse(problem);
  return { use, function: text, function_type: wordOf(sent.function_type ?? 'database').slice(0, 40) };
}

/**
 * Why a text is not one expression that can stand in a statement; undefined when it is. Engines read quotes, brackets and
 * backslashes in different ways: what two of them could read differently is refused.
 */
function problemOf(text: string, use: string[]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them belongs into an expression
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return 'control characters are not allowed';
  if (/\\['"`]/.test(text)) return 'a backslash before a quote is not allowed; double the quote';
  const bare = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g, "''");
  if (/['"`]/.test(bare.replaceAll("''", ''))) return 'a quote is not closed';
  if (/--|\/\*|\*\/|#/.test(bare)) return 'comments are not allowed';
  if (bare.includes(';')) return 'it must be one expression, without a semicolon';
  if (/[?$]|@[a-z_]|(^|[^:]):[a-z_]/i.test(bare))
    return 'placeholders are not allowed, but {value} of INSERT and UPDATE';
  if (!isBalanced(bare)) return 'its brackets do not match';
  const isWritten = use.every((it) => it === 'INSERT' || it === 'UPDATE');
  const values = text.split('{value}').length - 1;
  if (values > 0 && !isWritten) return '{value} is for INSERT and UPDATE alone';
  if (values !== bare.split('{value}').length - 1) return '{value} must not stand in quotes';
  return undefined;
}

const pairs = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** Also no quotes within square brackets: those are quotes themselves to SQLite. */
function isBalanced(bare: string): boolean {
  const open: string[] = [];
  for (const letter of bare) {
    if (letter === "'" && open.includes('[')) return false;
    if ('([{'.includes(letter)) open.push(letter);
    else if (pairs.has(letter) && open.pop() !== pairs.get(letter)) return false;
  }
  return open.length === 0;
}
