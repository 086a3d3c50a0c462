// Names of tools: made of verb and path template alone, so that a tool has one name for all callers and beside all other tools.
import { createHash } from 'node:crypto';
import type { ListedOperation } from '../service/route-table.ts';

type Named = Pick<ListedOperation, 'verb' | 'path' | 'endsInSlash' | 'summary' | 'answer'>;

/** Clients take no longer names. */
export const maxToolName = 40;
const hashLength = 8;

/** What tells an operation from others: the services of one key share a tool. */
export const operationKey = ({ verb, path, endsInSlash, summary }: Named): string =>
  [verb, path, endsInSlash, summary].join('\0');

/** `get_table_records` of `GET _table/{table_name}`. */
export function toolName(operation: Named): string {
  const name = wordsOf(operation).join('_');
  return name.length > maxToolName ? withHash(name, operation) : name;
}

/** The name where another operation has the first one. */
export const otherToolName = (operation: Named): string => withHash(wordsOf(operation).join('_'), operation);

const withHash = (name: string, operation: Named): string => {
  const hash = createHash('sha256').update(operationKey(operation)).digest('hex').slice(0, hashLength);
  return `${name.slice(0, maxToolName - hashLength - 1)}_${hash}`;
};

function wordsOf({ verb, path, summary, answer }: Named): string[] {
  const first = verb.toLowerCase();
  // The roots of services have nothing in common but their place.
  if (path === '') return [first, ...wordsIn(summary).filter((word) => !articles.has(word))];
  const words: string[] = [];
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const placeholder = /^\{(.*)\}$/.exec(part)?.[1];
    const isLast = index === parts.length - 1;
    if (placeholder === undefined) words.push(...wordsIn(part), ...(isLast && isList(verb, answer) ? ['list'] : []));
    else if (isLast && (answer === 'record' || answer === 'records')) words.push(answer);
    else {
      const word = wordsIn(placeholder.replace(/_(name|path)$/, '')).join('_');
      if (words.at(-1) !== word) words.push(word);
      else if (isLast) words.push('by_name');
    }
  }
  return [first, ...words.filter((word) => word !== '')];
}

const articles = new Set(['a', 'an', 'the', 'of', 'and']);

const isList = (verb: string, answer: Named['answer']) =>
  verb === 'GET' && (answer === 'records' || answer === 'descriptions');

const wordsIn = (text: string): string[] =>
  text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** The operations of a service by the names of their tools; the first of a name has it. */
export function namedOperations<O extends Named>(operations: readonly O[]): Map<string, O> {
  const named = new Map<string, O>();
  for (const operation of operations) {
    const name = toolName(operation);
    if (!named.has(name)) named.set(name, operation);
    named.set(otherToolName(operation), operation);
  }
  return named;
}
