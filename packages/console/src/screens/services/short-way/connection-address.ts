// A connection address as people copy it from elsewhere, read into a service type and its configuration. Pure. What it says is a
// secret: no message quotes more of it than its scheme and the names of its parameters.
import { type Address, type Reading, type Refusal, readParameters } from './address.ts';
import { readPairs } from './address-pairs.ts';
import { decode, readUrl } from './address-url.ts';

/** Longer texts are no addresses. */
export const maxAddressLength = 2000;

/** Endings by which a name is recognised as a SQLite file. */
const sqliteFile = /\.(sqlite3?|db3?|s3db)$/i;

/** Reads an address; `currentType` decides where a form is used by several kinds of databases. */
export function readAddress(text: string, currentType: string): Reading {
  const address = text.trim();
  if (address === '') return { problem: 'empty' };
  if (address.length > maxAddressLength || /[\n\r\0]/.test(address)) return { problem: 'unknownForm' };
  const found = readForm(address, currentType);
  if ('problem' in found) return found;
  const isSameWire = sameWire.get(currentType) === found.type;
  return readParameters(isSameWire ? { ...found, type: currentType } : found);
}

/** Types whose databases are also reached by the addresses of another: once chosen, they stay. */
const sameWire = new Map([
  ['aws_redshift_db', 'pgsql'],
  ['memsql', 'mysql'],
]);

function readForm(address: string, currentType: string): Address | Refusal {
  const jdbc = /^jdbc:/i.test(address);
  const bare = jdbc ? address.slice('jdbc:'.length) : address;
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(bare)?.[1]?.toLowerCase();
  if (scheme === 'sqlite' || scheme === 'sqlite3' || scheme === 'file')
    return readSqlite(bare.slice(scheme.length + 1));
  if (scheme !== undefined && bare.slice(scheme.length).startsWith('://')) return readUrl(scheme, bare, jdbc);
  const pairs = readPairs(bare, scheme, currentType);
  if (pairs) return pairs;
  if (sqliteFile.test(bare) && !/[=;]/.test(bare)) return readSqlite(bare);
  return { problem: 'unknownForm' };
}

/** `sqlite:shop.db`, `sqlite:///var/lib/shop.db` (three slashes: an absolute path), `file:shop.db?mode=rw`, or a path alone. */
function readSqlite(rest: string): Address | Refusal {
  const [path = '', query = ''] = rest.split('?', 2);
  const file = path.replace(/^\/\/(\/(?=\/))?/, '');
  if (file === '') return { problem: 'noDatabase' };
  if (file === ':memory:' || file === '/:memory:') return { problem: 'memory' };
  return {
    type: 'sqlite',
    config: { database: decode(file) },
    parameters: [...new URLSearchParams(query)],
  };
}
