// What an address says, whatever its form: the type it is for, its place, and its parameters. Pure.

/** Why an address is not taken, a key of `text/en/services.ts` under `shortWay.problems`. */
export interface Refusal {
  problem: 'empty' | 'unknownForm' | 'unknownScheme' | 'noHost' | 'noDatabase' | 'severalHosts' | 'port' | 'memory';
  /** The scheme it begins with, where that is what is not known. */
  scheme?: string;
}

/** An address that was read, its parameters yet to be understood. */
export interface Address {
  type: string;
  config: Record<string, unknown>;
  parameters: [name: string, value: string][];
}

/** What an address fills in, and the names of parameters that have no place in the form. */
export interface Filling {
  type: string;
  config: Record<string, unknown>;
  unused: string[];
}

export type Reading = Filling | Refusal;

/** How a parameter is written into a configuration: under the name of a field, or of one of its driver options. */
type Place = { field: string } | { option: string } | { ssl: true };

const common: Record<string, Place> = {
  host: { field: 'host' },
  hostname: { field: 'host' },
  hostaddr: { field: 'host' },
  server: { field: 'host' },
  servername: { field: 'host' },
  port: { field: 'port' },
  portnumber: { field: 'port' },
  dbname: { field: 'database' },
  database: { field: 'database' },
  databasename: { field: 'database' },
  user: { field: 'username' },
  username: { field: 'username' },
  uid: { field: 'username' },
  password: { field: 'password' },
  pwd: { field: 'password' },
  charset: { field: 'charset' },
  timezone: { field: 'timezone' },
};

const pgsqlPlaces: Record<string, Place> = {
  ...common,
  sslmode: { field: 'sslmode' },
  ssl: { ssl: true },
  sslrootcert: { option: 'sslrootcert' },
  sslcert: { option: 'sslcert' },
  sslkey: { option: 'sslkey' },
  schema: { field: 'schema' },
  searchpath: { field: 'schema' },
  currentschema: { field: 'schema' },
  applicationname: { field: 'application_name' },
  clientencoding: { field: 'charset' },
};

const mysqlPlaces: Record<string, Place> = {
  ...common,
  unixsocket: { field: 'unix_socket' },
  socket: { field: 'unix_socket' },
  socketpath: { field: 'unix_socket' },
  collation: { field: 'collation' },
  sslmode: { option: 'ssl_mode' },
  sslca: { option: 'ssl_ca' },
  sslcert: { option: 'ssl_cert' },
  sslkey: { option: 'ssl_key' },
  ssl: { ssl: true },
  usessl: { ssl: true },
  requiressl: { ssl: true },
};

const places = new Map<string, ReadonlyMap<string, Place>>([
  ['pgsql', new Map(Object.entries(pgsqlPlaces))],
  ['aws_redshift_db', new Map(Object.entries(pgsqlPlaces))],
  ['mysql', new Map(Object.entries(mysqlPlaces))],
  ['memsql', new Map(Object.entries(mysqlPlaces))],
]);

const commonPlaces: ReadonlyMap<string, Place> = new Map(Object.entries(common));

/** Names are compared without regard to case, spaces, dashes and underscores: `Application Name`, `application_name`. */
const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** Names that may be shown: a password split in the wrong place looks like no such name. */
const shownName = /^[A-Za-z][A-Za-z0-9_. -]{0,40}$/;

const maxUnused = 8;

/** Puts the parameters of an address in their places, and checks what has come together. */
export function readParameters({ type, config, parameters }: Address): Reading {
  const placesOfType = type === 'sqlite' ? undefined : (places.get(type) ?? commonPlaces);
  const filled: Record<string, unknown> = { ...config };
  const options: Record<string, string> = {};
  const unused: string[] = [];
  let wantsTls = false;
  for (const [name, value] of parameters) {
    const place = placesOfType?.get(plainName(name));
    if (!place || (isSchema(place) && value.includes(','))) {
      if (shownName.test(name)) unused.push(name);
    } else if ('field' in place) filled[place.field] ??= place.field === 'sslmode' ? dashedMode(value) : value;
    else if ('option' in place) options[place.option] = place.option === 'ssl_mode' ? mysqlMode(value) : value;
    else wantsTls = isOn(value);
  }
  // A mere "with TLS" asks for encryption and no more; an address that also says how is not overridden.
  if (wantsTls && placesOfType?.has('usessl')) options.ssl_mode ??= 'REQUIRED';
  else if (wantsTls) filled.sslmode ??= 'require';
  if (Object.keys(options).length > 0) filled.options = options;
  return check({ type, config: filled, unused: unused.slice(0, maxUnused) });
}

const isOn = (value: string) => !/^(false|0|no|off|disable|disabled)$/i.test(value);

/** A configuration names one schema, a search path several. */
const isSchema = (place: Place) => 'field' in place && place.field === 'schema';

/** libpq says `verify-full`, .NET `VerifyFull`. */
const dashedMode = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** MySQL's own clients say `VERIFY_CA`, those of Java and .NET `VerifyCA`. */
function mysqlMode(value: string): string {
  const mode = dashedMode(value).replaceAll('-', '_');
  const known = new Map([
    ['none', 'disabled'],
    ['verify_full', 'verify_identity'],
  ]);
  return (known.get(mode) ?? mode).toUpperCase();
}

function check(filling: Filling): Reading {
  const { type, config } = filling;
  if (type === 'sqlite') return filling;
  const host = String(config.host ?? '').trim();
  if (host.includes(',')) return { problem: 'severalHosts' };
  if (host === '' && !config.unix_socket) return { problem: 'noHost' };
  if (config.port === undefined || config.port === '') return withoutPort(filling);
  const port = Number(config.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return { problem: 'port' };
  return { ...filling, config: { ...config, port } };
}

function withoutPort({ config, ...filling }: Filling): Filling {
  const { port: _empty, ...rest } = config;
  return { ...filling, config: rest };
}
