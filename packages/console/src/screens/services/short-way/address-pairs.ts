// Addresses made of names and values: those of .NET and ODBC (Server=…;Database=…), of PDO (pgsql:host=…;dbname=…) and of libpq
// (host=… dbname=…).
import type { Address } from './address.ts';
import { pair, typeOf } from './address-url.ts';

/** Names of .NET and ODBC that say what others say in one word. */
const synonyms = new Map<string, string>([
  ['data source', 'server'],
  ['datasource', 'server'],
  ['address', 'server'],
  ['addr', 'server'],
  ['network address', 'server'],
  ['initial catalog', 'database'],
  ['user id', 'user'],
  ['userid', 'user'],
  ['ssl mode', 'sslmode'],
]);

/** Undefined where the text is made of no such pairs. `scheme` is what stands before its first colon. */
export function readPairs(text: string, scheme: string | undefined, currentType: string): Address | undefined {
  const pdoType = scheme === undefined ? undefined : typeOf(scheme === 'dblib' ? 'mssql' : scheme);
  const body = pdoType === undefined ? text : text.slice((scheme ?? '').length + 1);
  if (!/^\s*[A-Za-z][A-Za-z _]*=/.test(body)) return undefined;
  const pairs = (body.includes(';') ? splitQuoted(body) : wordPairs(body))
    .map(([name, value]): [string, string] => [synonyms.get(name.toLowerCase()) ?? name, value])
    .filter(([name]) => name !== '');
  const names = new Set(pairs.map(([name]) => name.toLowerCase()));
  if (!names.has('server') && !names.has('host') && !names.has('unix_socket')) return undefined;
  const type = pdoType ?? guessType(names, pairs, currentType);
  return { type, config: {}, parameters: type === 'sqlsrv' ? pairs.map(withoutTcp) : pairs };
}

/** `a=b;c="d;e"`; the value of a pair may stand in quotes or braces. */
function splitQuoted(text: string): [string, string][] {
  const parts = text.match(/(?:[^;"'{]|"[^"]*"|'[^']*'|\{[^}]*\}|["'{])+/g) ?? [];
  return parts.map(pair).map(([name, value]) => [name, unquote(value)]);
}

/** `host=localhost password='two words'` of libpq. */
function wordPairs(text: string): [string, string][] {
  const found = text.matchAll(/([A-Za-z_]+)\s*=\s*('(?:[^'\\]|\\.)*'|\S*)/g);
  return [...found].map(([, name = '', value = '']) => [name, unquote(value).replace(/\\(.)/g, '$1')]);
}

const unquote = (value: string) => /^(["'])(.*)\1$|^\{(.*)\}$/s.exec(value)?.slice(2).find(Boolean) ?? value;

/** `Host` is Npgsql's or libpq's; `Server` that of MySQL and of SQL Server, told apart by the chosen type, the port and the mode. */
function guessType(names: ReadonlySet<string>, pairs: readonly [string, string][], currentType: string): string {
  if (names.has('host')) return ['mysql', 'memsql', 'aws_redshift_db'].includes(currentType) ? currentType : 'pgsql';
  const port = pairs.find(([name]) => name.toLowerCase() === 'port')?.[1];
  if (['mysql', 'memsql', 'sqlsrv'].includes(currentType)) return currentType;
  if (port === '5432') return 'pgsql';
  return port !== undefined || names.has('sslmode') || names.has('uid') || names.has('unix_socket')
    ? 'mysql'
    : 'sqlsrv';
}

/** `tcp:host,1433` of SQL Server. */
function withoutTcp([name, value]: [string, string]): [string, string] {
  if (name.toLowerCase() !== 'server') return [name, value];
  return [name, value.replace(/^tcp:/i, '')];
}
