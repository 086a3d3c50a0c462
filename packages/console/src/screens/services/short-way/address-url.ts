// Addresses in the form of a URL: scheme://user:password@host:port/database?parameters. Read by hand: what people paste has signs in
// its password that a URL may not have.
import type { Address, Refusal } from './address.ts';

const typeOfScheme = new Map<string, string>([
  ['postgres', 'pgsql'],
  ['postgresql', 'pgsql'],
  ['pgsql', 'pgsql'],
  ['pg', 'pgsql'],
  ['psql', 'pgsql'],
  ['postgis', 'pgsql'],
  ['timescaledb', 'pgsql'],
  ['redshift', 'aws_redshift_db'],
  ['mysql', 'mysql'],
  ['mysql2', 'mysql'],
  ['mysqlx', 'mysql'],
  ['mariadb', 'mysql'],
  ['memsql', 'memsql'],
  ['singlestore', 'memsql'],
  ['sqlserver', 'sqlsrv'],
  ['mssql', 'sqlsrv'],
  ['oracle', 'oracle'],
  ['db2', 'ibmdb2'],
]);

/** The type a scheme is for; drivers stand behind a plus: `postgresql+psycopg2`, `mysql+pymysql`. */
export const typeOf = (scheme: string): string | undefined => typeOfScheme.get(scheme.split('+')[0] ?? '');

/** Addresses of JDBC have parameters only; those of SQL Server divide them by semicolons. */
export function readUrl(scheme: string, text: string, isJdbc: boolean): Address | Refusal {
  const driver = ['aws', 'jtds'].includes(scheme) ? undefined : typeOf(scheme);
  if (driver === undefined) return { problem: 'unknownScheme', scheme };
  const rest = text.slice(text.indexOf('://') + '://'.length);
  const { login, place } = splitLogin(rest);
  const [main = '', ...query] =
    driver === 'sqlsrv' && isJdbc ? place.split(';') : splitOnce(place.split('#')[0] ?? '', '?');
  const [server = '', path = ''] = splitOnce(main, '/');
  const { host, port } = splitServer(server);
  const [username, password] = splitOnce(login ?? '', ':');
  const database = decode(path);
  return {
    type: driver,
    config: {
      ...(host === '' ? {} : { host: decode(host) }),
      ...(port === undefined ? {} : { port }),
      ...(database === '' ? {} : { database }),
      ...(username ? { username: decode(username) } : {}),
      ...(password ? { password: decode(password) } : {}),
    },
    parameters: query
      .flatMap((part) => (driver === 'sqlsrv' && isJdbc ? [pair(part)] : [...new URLSearchParams(part)]))
      .filter(([name]) => name !== ''),
  };
}

/** The login ends at the last `@` before the parameters; only a password with a `?` in it puts that sign before the `@`. */
function splitLogin(rest: string): { login: string | undefined; place: string } {
  const question = rest.indexOf('?');
  const main = question < 0 ? rest : rest.slice(0, question);
  const isCutPassword = /^[^@/]*:[^@/]*$/.test(main) && /^[^=]*@/.test(rest.slice(question));
  const at = (isCutPassword ? rest : main).lastIndexOf('@');
  return at < 0 ? { login: undefined, place: rest } : { login: rest.slice(0, at), place: rest.slice(at + 1) };
}

/** Host and port; an IPv6 address stands in brackets. */
function splitServer(server: string): { host: string; port?: string } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(server);
  if (bracketed) return { host: bracketed[1] ?? '', ...(bracketed[2] ? { port: bracketed[2] } : {}) };
  if (server.includes(',')) return { host: server };
  const [host = '', port] = splitOnce(server, ':');
  return { host, ...(port ? { port } : {}) };
}

export function splitOnce(text: string, sign: string): string[] {
  const index = text.indexOf(sign);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + sign.length)];
}

/** `name=value` with what may stand around it. */
export function pair(text: string): [string, string] {
  const [name = '', value = ''] = splitOnce(text, '=');
  return [name.trim(), value.trim()];
}

/** A part of an address without its percent signs; as it is where they are none. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
