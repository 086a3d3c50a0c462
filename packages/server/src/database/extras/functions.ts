// db_function: SQL an administrator puts in the place of a column (contract/database-tables.md §9).
import { fail } from '@sluice/contract';
import type { ColumnExpressions } from '@sluice/sql';
import { isRecord, stringifyInput } from '../../call/payload.ts';

/** A function of a field as it is stored and shown. */
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

/** The expressions that replace the column; undefined without any. The first function of each use counts. */
export function expressionsOf(functions: unknown[] | null): ColumnExpressions | undefined {
  const expressions: ColumnExpressions = {};
  for (const { use, function: text } of (functions ?? []) as FieldFunction[])
    for (const name of use) {
      const place = uses.get(name);
      if (place) expressions[place] ??= text;
    }
  return Object.keys(expressions).length > 0 ? expressions : undefined;
}

const limits = { functions: 10, text: 2000 };

/**
 * Parses the functions of a field as they are sent: a list of them, or one. Throws `schema.function` for what is no function.
 */
export function parseFunctions(input: unknown, field: string): FieldFunction[] | null {
  if (input === null || input === '') return null;
  const list = Array.isArray(input) ? input : [input];
  if (list.length > limits.functions) throw fail('schema.function', { field, problem: 'there are too many' });
  const functions = list.map((item) => parseFunction(item, field));
  return functions.length > 0 ? functions : null;
}

function parseFunction(input: unknown, field: string): FieldFunction {
  const refuse = (problem: string): never => {
    throw fail('schema.function', { field, problem });
  };
  if (!isRecord(input)) return refuse('it must have "use" and "function"');
  const use = [input.use].flat().map((word) => stringifyInput(word).toUpperCase());
  if (use.length === 0 || use.some((word) => !uses.has(word)))
    refuse('"use" must be a list of SELECT, FILTER, INSERT and UPDATE');
  const text = typeof input.function === 'string' ? input.function.trim() : '';
  if (text === '') refuse('"function" must be a text');
  if (text.length > limits.text) refuse(`it is longer than ${limits.text} characters`);
  const problem = findProblem(text, use);
  if (problem) refuse(problem);
  return { use, function: text, function_type: stringifyInput(input.function_type ?? 'database').slice(0, 40) };
}

/**
 * Why a text is not one expression that can stand in a statement; undefined when it is. Engines read quotes, brackets and
 * backslashes in different ways: what two of them could read differently is refused.
 */
function findProblem(text: string, use: string[]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them belongs into an expression
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) return 'control characters are not allowed';
  if (/\\['"`]/.test(text)) return 'a backslash before a quote is not allowed; double the quote';
  const unquoted = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g, "''");
  if (/['"`]/.test(unquoted.replaceAll("''", ''))) return 'a quote is not closed';
  if (/--|\/\*|\*\/|#/.test(unquoted)) return 'comments are not allowed';
  if (unquoted.includes(';')) return 'it must be one expression, without a semicolon';
  if (/[?$]|@[a-z_]|(^|[^:]):[a-z_]/i.test(unquoted))
    return 'placeholders are not allowed, but {value} of INSERT and UPDATE';
  if (!isBalanced(unquoted)) return 'its brackets do not match';
  const isForWrites = use.every((word) => word === 'INSERT' || word === 'UPDATE');
  const values = text.split('{value}').length - 1;
  if (values > 0 && !isForWrites) return '{value} is for INSERT and UPDATE alone';
  if (values !== unquoted.split('{value}').length - 1) return '{value} must not stand in quotes';
  return undefined;
}

const openingBrackets = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** Quotes within square brackets are refused, too: to SQLite the brackets are quotes themselves. */
function isBalanced(unquoted: string): boolean {
  const openBrackets: string[] = [];
  for (const letter of unquoted) {
    if (letter === "'" && openBrackets.includes('[')) return false;
    if ('([{'.includes(letter)) openBrackets.push(letter);
    else if (openingBrackets.has(letter) && openBrackets.pop() !== openingBrackets.get(letter)) return false;
  }
  return openBrackets.length === 0;
}
