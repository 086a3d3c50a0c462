// System Info as a list of facts. Pure: what the environment holds, in parts, with the words of each left to the texts (OPEN-073, OPEN-074).
import type { Environment } from '@sluice/contract';

export type FactLabel =
  | 'license'
  | 'sluiceVersion'
  | 'apiVersion'
  | 'database'
  | 'sqlite'
  | 'installPath'
  | 'logPath'
  | 'logMode'
  | 'logLevel'
  | 'cacheDriver'
  | 'cachePath'
  | 'demo'
  | 'os'
  | 'release'
  | 'version'
  | 'host'
  | 'ip'
  | 'machine'
  | 'userAgent'
  | 'locale';

export interface Fact {
  /** A key of the texts, or the name of a package. */
  label: FactLabel | { name: string };
  value: string | boolean;
}

export interface FactPart {
  name: 'platform' | 'packages' | 'server' | 'client';
  facts: Fact[];
  /** Why there are none. */
  failure?: string;
}

type FactNames = readonly [FactLabel, string][];

const platformFacts: FactNames = [
  ['license', 'license'],
  ['sluiceVersion', 'sluice_version'],
  ['apiVersion', 'version'],
  ['database', 'db_driver'],
  ['sqlite', 'sqlite_storage'],
  ['installPath', 'install_path'],
  ['logPath', 'log_path'],
  ['logMode', 'log_mode'],
  ['logLevel', 'log_level'],
  ['cacheDriver', 'cache_driver'],
  ['cachePath', 'cache_path'],
  ['demo', 'bitnami_demo'],
];
const serverFacts: FactNames = [
  ['os', 'server_os'],
  ['release', 'release'],
  ['version', 'version'],
  ['host', 'host'],
  ['ip', 'ip'],
  ['machine', 'machine'],
];
const clientFacts: FactNames = [
  ['userAgent', 'user_agent'],
  ['ip', 'ip_address'],
  ['locale', 'locale'],
];

const factsIn = (names: FactNames, values: Record<string, unknown> = {}): Fact[] =>
  names.flatMap(([label, name]): Fact[] => {
    const value = values[name];
    if (typeof value === 'boolean') return [{ label, value }];
    return value === null || value === undefined || value === '' ? [] : [{ label, value: String(value) }];
  });

/** The parts that have facts for this person. Only what is named above is shown, whatever else a server sends. */
export function factsOf({ platform, server, client }: Environment): FactPart[] {
  return [
    { name: 'platform' as const, facts: factsIn(platformFacts, platform) },
    { name: 'packages' as const, ...packages(platform?.packages) },
    { name: 'server' as const, facts: factsIn(serverFacts, server) },
    { name: 'client' as const, facts: factsIn(clientFacts, client) },
  ].filter(({ facts, failure }: Omit<FactPart, 'name'>) => facts.length > 0 || failure !== undefined);
}

function packages(value: unknown): Omit<FactPart, 'name'> {
  if (Array.isArray(value))
    return { facts: value.map(({ name, version }) => ({ label: { name: String(name) }, value: String(version) })) };
  const error = (value as { error?: unknown } | null | undefined)?.error;
  return typeof error === 'string' ? { facts: [], failure: error } : { facts: [] };
}
